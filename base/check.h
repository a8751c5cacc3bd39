/* base/check.h: assertions that need no C library.
 *
 * check(x) traps when x is false.  It marks our own bugs only; bad input from
 * outside is answered with a struct fault.  Traps instead of printing, so that
 * rules and search keep zero imports in WebAssembly.  Release builds drop it.
 */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#ifdef TERRA_CHECKED
#define check(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define check(condition) ((void)sizeof(condition))
#endif

#endif
