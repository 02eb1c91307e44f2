// The binary form of a core module, limited to the renaming of imports.

/** The bytes before the first section: the format's name and version. */
const HEADER = 8;
/** The number of the section of imports. */
const IMPORTS = 2;

/** Returns the module with other names for some of its imports, each as `module name`. Their types do not change. */
export function renamed(module, names) {
  const parts = [module.subarray(0, HEADER)];
  for (let at = HEADER; at < module.length; ) {
    const [size, start] = number(module, at + 1);
    const end = start + size;
    if (module[at] === IMPORTS) {
      const section = importsRenamed(module.subarray(start, end), names);
      parts.push(Buffer.from([IMPORTS, ...leb(section.length)]), section);
    } else {
      parts.push(module.subarray(at, end));
    }
    at = end;
  }
  return Buffer.concat(parts);
}

function importsRenamed(section, names) {
  const [count, first] = number(section, 0);
  const parts = [section.subarray(0, first)];
  let at = first;
  for (let left = count; left > 0; left--) {
    const [module, behind] = text(section, at);
    const [name, type] = text(section, behind);
    const [to, as] = names.get(`${module} ${name}`)?.split(" ") ?? [module, name];
    at = afterType(section, type);
    parts.push(written(to), written(as), section.subarray(type, at));
  }
  return Buffer.concat(parts);
}

/** Returns the end of the type of an import: a function, a table, a memory, a global or a tag. */
function afterType(bytes, at) {
  const limits = (at) => {
    const [flags, least] = number(bytes, at);
    const [, most] = number(bytes, least);
    return flags & 1 ? number(bytes, most)[1] : most;
  };
  const after = [
    (at) => number(bytes, at)[1],
    (at) => limits(at + 1),
    limits,
    (at) => at + 2,
    (at) => number(bytes, at + 1)[1],
  ][bytes[at]];
  return after(at + 1);
}

/** Returns a text that is preceded by its length, and its end. */
function text(bytes, at) {
  const [length, start] = number(bytes, at);
  return [bytes.toString("utf8", start, start + length), start + length];
}

function written(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(leb(bytes.length)), bytes]);
}

/** Returns a number in LEB128, and its end. */
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [value, at];
  }
}

function leb(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}
