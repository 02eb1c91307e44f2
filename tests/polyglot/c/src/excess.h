/* Use of more resources than the limits allow. */
#pragma once

_Noreturn void spin(void);
_Noreturn void hoard(void);
