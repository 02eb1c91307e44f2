/* What the probe can see. */
#pragma once

#include "portcullis.h"

/* What the views show of the call, as a list in JSON. */
pc_string_t view(void);
