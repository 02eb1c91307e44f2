/* Write Portcullis hooks in C. */
#pragma once
#include "hook.h"
