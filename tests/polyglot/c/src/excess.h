/* Taking more than one may. */
#pragma once

_Noreturn void spin(void);
_Noreturn void hoard(void);
