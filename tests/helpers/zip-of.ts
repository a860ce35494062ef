import { crc32, deflateRawSync } from 'node:zlib';

interface ZipOptions {
  isCompressed?: boolean;
  /** Size that each entry declares for its decompressed content, instead of the real one. */
  declaredBytes?: number;
}

/** Returns a ZIP file. */
export function zipOf(
  files: readonly (readonly [name: string, text: string])[],
  { isCompressed = false, declaredBytes }: ZipOptions = {},
): Buffer {
  let offset = 0;
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, text] of files) {
    const content = Buffer.from(text);
    const data = isCompressed ? deflateRawSync(content) : content;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isCompressed ? 8 : 0, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(declaredBytes ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, rest, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}
