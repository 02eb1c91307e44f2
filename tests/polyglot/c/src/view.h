/* The views of the probe. */
#pragma once

#include "portcullis.h"

/* Returns the data that the views show of the call, as a JSON list. */
pc_string_t view(void);
