"""Ways to damage a file. Each takes its bytes and a generator and returns other bytes."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Callable

import numpy as np

Mutator = Callable[[bytes, np.random.Generator], bytes]

TOKENS = (
    b",", b";", b"\t", b'"', b"'", b"\n", b"\r", b"\r\n", b"\0", b"\\", b"+", b"-1", b"0", b"7",
    b"128", b"99999999999999999999", b"1e400", b"nan", b"1_0", b"\xef\xbc\x91", b"<", b">", b"&",
    b"</HIT>", b"<!DOCTYPE a []>", b"]]>", b"{", b"}", b"[", b"]", b":", b"null", b"NaN",
    b"Infinity", b'"\\ud83d"', b"\xef\xbb\xbf", b"\xc2\xa0", b"\xe2\x80\x8b", b"\xcc\x81", b"\xff",
    b"model_a", b"winner", b"system1rank", b" ", b'"value"', b'"rank"', b'"id"',
    b"true", b"[]", b"{}", b"A>>B", b":::", b"[[", b'{"x":', b'"annotations"', b"_", b"1.5",
    b"TGT", b"BAD", b"#bad", b"#dup", b"tutorial", b"None", b"__RESET__", b'"score"', b'"item"',
    b"Major", b"No-error", b"wmt23.", b"&a ", b"*a", b"<<: ", b"!!timestamp ", b"!!int ''", b"- ",
    b"0x1f", b"- [", b"? ", b"1e308",
)  # fmt: skip
"""What separates, ends or names something in some format."""


def _cut(data: bytes, rng: np.random.Generator, longest: int) -> tuple[int, int]:
    start = int(rng.integers(len(data) + 1))
    return start, min(len(data), start + int(rng.integers(1, longest + 1)))


def flip_bits(data: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(data)
    for _ in range(int(rng.integers(1, 8))):
        if changed:
            changed[int(rng.integers(len(changed)))] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def put_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    start, _ = _cut(data, rng, 1)
    return data[:start] + rng.bytes(int(rng.integers(1, 9))) + data[start:]


def put_token(data: bytes, rng: np.random.Generator) -> bytes:
    for _ in range(int(rng.integers(1, 4))):
        start, end = _cut(data, rng, 4)
        token = TOKENS[int(rng.integers(len(TOKENS)))]
        data = data[:start] + token + data[end if rng.integers(2) else start :]
    return data


def remove(data: bytes, rng: np.random.Generator) -> bytes:
    start, end = _cut(data, rng, 60)
    return data[:start] + data[end:]


def cut_off(data: bytes, rng: np.random.Generator) -> bytes:
    return data[: int(rng.integers(len(data) + 1))]


def repeat(data: bytes, rng: np.random.Generator) -> bytes:
    start, end = _cut(data, rng, 200)
    return data[:end] + data[start:end] * int(rng.integers(1, 200)) + data[end:]


def move(data: bytes, rng: np.random.Generator) -> bytes:
    start, end = _cut(data, rng, 100)
    rest = data[:start] + data[end:]
    to = int(rng.integers(len(rest) + 1))
    return rest[:to] + data[start:end] + rest[to:]


def swap_lines(data: bytes, rng: np.random.Generator) -> bytes:
    lines = data.split(b"\n")
    a, b = rng.integers(len(lines), size=2)
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def change_field(data: bytes, rng: np.random.Generator) -> bytes:
    lines = data.split(b"\n")
    line = int(rng.integers(len(lines)))
    fields = lines[line].split(b",")
    fields[int(rng.integers(len(fields)))] = TOKENS[int(rng.integers(len(TOKENS)))]
    lines[line] = b",".join(fields)
    return b"\n".join(lines)


def drop_column(data: bytes, rng: np.random.Generator) -> bytes:
    rows = [line.split(b",") for line in data.split(b"\n")]
    k = int(rng.integers(max(len(rows[0]), 1)))
    return b"\n".join(b",".join(row[:k] + row[k + 1 :]) for row in rows)


def copy_column(data: bytes, rng: np.random.Generator) -> bytes:
    rows = [line.split(b",") for line in data.split(b"\n")]
    k = int(rng.integers(max(len(rows[0]), 1)))
    return b"\n".join(b",".join([*row, *row[k : k + 1]]) for row in rows)


def replace_everywhere(data: bytes, rng: np.random.Generator) -> bytes:
    start, end = _cut(data, rng, 6)
    if start == end:
        return data
    return data.replace(data[start:end], TOKENS[int(rng.integers(len(TOKENS)))], 2000)


def recode(data: bytes, rng: np.random.Generator) -> bytes:
    name = ("utf-16", "utf-16-be", "latin-1", "utf-8-sig", "utf-32")[int(rng.integers(5))]
    return data.decode("latin-1").encode(name)


def pack(data: bytes, rng: np.random.Generator) -> bytes:
    packed = gzip.compress(data, compresslevel=1, mtime=0)
    return packed if rng.integers(2) else flip_bits(packed, rng)


def pack_damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """Damage what a gzipped file, or one file of an archive, holds, and pack it again."""
    if data.startswith(b"PK"):
        return _damage_member(data, rng)
    try:
        data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return flip_bits(data, rng)
    return gzip.compress(put_token(data, rng), compresslevel=1, mtime=0)


def _damage_member(data: bytes, rng: np.random.Generator) -> bytes:
    """Damage one file of a zip archive, so that its checksum is right again."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            members = [(name, packed.read(name)) for name in packed.namelist()]
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError):
        return flip_bits(data, rng)
    chosen = int(rng.integers(max(len(members), 1)))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for k, (name, content) in enumerate(members):
            packed.writestr(
                zipfile.ZipInfo(name), put_token(content, rng) if k == chosen else content
            )
    return file.getvalue()


MUTATORS: tuple[Mutator, ...] = (
    flip_bits, put_bytes, put_token, remove, cut_off, repeat, move, swap_lines, change_field,
    drop_column, copy_column, replace_everywhere, recode, pack, pack_damaged,
)  # fmt: skip


def damage(data: bytes, rng: np.random.Generator) -> bytes:
    """Return the file after one to three mutators."""
    for _ in range(int(rng.integers(1, 4))):
        data = MUTATORS[int(rng.integers(len(MUTATORS)))](data, rng)[:2_000_000]
    return data
