"""libterra through ctypes: finding it, its prototypes, texts and arrays.

Looked for in $TERRA_LIBRARY, then in the build folders of a checkout, then
where the system keeps its libraries.
"""
import ctypes
import glob
import os
from ctypes import (POINTER, byref, c_char_p, c_int, c_int16, c_int32, c_size_t,
                    c_uint8, c_uint32, c_uint64, c_void_p)

try:
    import numpy
except ImportError:
    numpy = None

ABI = 1
SEATS = 6
ACTIONS = 2048
NO_INDEX = 0xffffffff


class Refused(ValueError):
    """What the rules, or a reader, do not allow, in one line."""


class Result(ctypes.Structure):
    """struct terra_result"""
    _fields_ = [("points", c_int32 * SEATS), ("place", c_int32 * SEATS),
                ("reason", c_int32)]


class BatchArrays(ctypes.Structure):
    """struct terra_batch"""
    _fields_ = [("count", c_int32), ("reset", c_int32), ("states", c_void_p),
                ("seeds", c_void_p), ("seat", c_void_p), ("offset", c_void_p),
                ("actions", c_void_p), ("choice", c_void_p),
                ("points", c_void_p), ("place", c_void_p), ("done", c_void_p)]


P = c_void_p  # tables, matches, states and arrays are all addresses here
PROTOTYPES = {
    "terra_abi": (c_int,),
    "terra_version": (c_char_p,),
    "terra_game": (c_char_p, c_int),
    "terra_open": (P, c_char_p, c_char_p, c_char_p, c_size_t),
    "terra_close": (None, P),
    "terra_name": (c_char_p, P),
    "terra_seats": (c_int, P),
    "terra_state_size": (c_size_t, P),
    "terra_setup": (c_int, P, c_char_p, c_size_t),
    "terra_start": (None, P, c_uint64, P),
    "terra_turn": (None, P, P, POINTER(c_uint32), POINTER(c_uint32)),
    "terra_current": (c_int, P, P),
    "terra_legal": (c_int, P, P, c_int, P),
    "terra_apply": (c_int, P, P, c_int, c_uint32),
    "terra_result": (None, P, P, POINTER(Result)),
    "terra_hash": (c_uint64, P, P),
    "terra_estimate": (c_int, P, P, P),
    "terra_view": (None, P, P, c_int, P),
    "terra_guess": (None, P, P, c_int, c_uint64),
    "terra_index_count": (c_uint32, P),
    "terra_index": (c_uint32, P, c_uint32),
    "terra_action": (c_uint32, P, c_uint32),
    "terra_legal_indices": (c_int, P, P, c_int, P),
    "terra_feature": (c_int, P, c_int, POINTER(c_char_p), POINTER(c_char_p)),
    "terra_measure_count": (c_int, P),
    "terra_measure": (None, P, P, c_int, P),
    "terra_measure_after": (c_int, P, P, c_int, c_int, P),
    "terra_write_action": (c_int, P, P, c_int, c_uint32, c_int, c_char_p,
                           c_size_t),
    "terra_write_state": (c_int, P, P, c_char_p, c_size_t),
    "terra_write_scene": (c_int, P, P, c_int, c_char_p, c_size_t),
    "terra_write_picture": (c_int, P, P, c_int, c_char_p, c_size_t),
    "terra_write_board": (c_int, P, P, c_int, c_char_p, c_size_t),
    "terra_read_action": (c_int, P, P, c_int, c_char_p, POINTER(c_uint32),
                          c_char_p, c_size_t),
    "terra_read_state": (c_int, P, c_char_p, P, c_char_p, c_size_t),
    "terra_match_open": (P, P, c_uint64),
    "terra_match_read": (P, c_char_p, c_char_p, c_size_t, c_char_p, c_size_t),
    "terra_match_close": (None, P),
    "terra_match_play": (c_int, P, c_int, c_uint32),
    "terra_match_count": (c_int, P),
    "terra_match_step": (c_int, P, c_int, POINTER(c_int32), POINTER(c_uint32)),
    "terra_match_state": (c_int, P, c_int, P),
    "terra_match_setup": (c_int, P, c_char_p, c_size_t),
    "terra_match_write": (c_int, P, c_int, c_char_p, c_size_t),
    "terra_batch_start": (None, P, POINTER(BatchArrays)),
    "terra_batch_step": (c_int, P, POINTER(BatchArrays)),
    "terra_batch_view": (None, P, POINTER(BatchArrays), P),
    "terra_batch_measure": (None, P, POINTER(BatchArrays), P),
    "terra_batch_mask": (None, P, POINTER(BatchArrays), P),
}


def candidates():
    given = os.environ.get("TERRA_LIBRARY")
    if given:
        return [given]
    root = os.path.dirname(os.path.dirname(os.path.dirname(
        os.path.abspath(__file__))))
    # The shortest name first: "build", then "build-check" and the like.
    built = sorted(glob.glob(os.path.join(glob.escape(root), "build*", "lib",
                                          "libterra.so.%d" % ABI)), key=len)
    return built + ["libterra.so.%d" % ABI]


def load():
    failures = []
    for name in candidates():
        try:
            library = ctypes.CDLL(name)
        except OSError as error:
            failures.append(str(error))
            continue
        for function, (result, *arguments) in PROTOTYPES.items():
            getattr(library, function).restype = result
            getattr(library, function).argtypes = arguments
        if library.terra_abi() != ABI:
            raise ImportError("%s has ABI %d, this package needs %d"
                              % (name, library.terra_abi(), ABI))
        return library
    raise ImportError("libterra is not there (build it, or set TERRA_LIBRARY): "
                      + "; ".join(failures))


lib = load()


def version():
    return lib.terra_version().decode()


def game_names():
    """The names of all games."""
    names = []
    while lib.terra_game(len(names)):
        names.append(lib.terra_game(len(names)).decode())
    return names


def text(write, *arguments, room=4096):
    """What a writer of the library says, in one call or two."""
    buffer = ctypes.create_string_buffer(room)
    needed = write(*arguments, buffer, room)
    if needed < 0:
        raise Refused("this cannot be written")
    if needed >= room:
        return text(write, *arguments, room=needed + 1)
    return buffer.value.decode()


def error_buffer():
    return ctypes.create_string_buffer(512)


CODES = {"i2": c_int16, "i4": c_int32, "u1": c_uint8, "u4": c_uint32,
         "u8": c_uint64}


def array(code, *shape):
    """A zeroed array that C can fill: numpy's, else one of ctypes."""
    if numpy:
        return numpy.zeros(shape, dtype=code)
    kind = CODES[code]
    for size in reversed(shape):
        kind = kind * size
    return kind()


def address(values):
    return values.ctypes.data if hasattr(values, "ctypes") \
        else ctypes.addressof(values)


__all__ = ["ABI", "ACTIONS", "BatchArrays", "NO_INDEX", "Refused", "Result",
           "SEATS", "address", "array", "byref", "error_buffer", "game_names",
           "lib", "numpy", "text", "version"]
