/** An element of an XML document. Its text and attribute values are unescaped. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly (XmlElement | string)[];
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Characters that XML allows in a document, escaped or not: https://www.w3.org/TR/xml/#charsets */
const allowed = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;

/**
 * Parses elements, attributes, and text. Throws for invalid XML and for unsupported syntax: declarations,
 * comments, and CDATA.
 */
export function readXml(document: string): XmlElement {
  if (!allowed.test(document)) throw new Error('a character that XML does not allow');
  const root: { children: (XmlElement | string)[] } = { children: [] };
  const open: { name?: string; children: (XmlElement | string)[] }[] = [root];
  for (const [token, close, name, attributes, empty, text] of document.matchAll(
    /<(\/)?([A-Za-z][\w:-]*)((?:\s+[A-Za-z][\w:-]*="[^"<]*")*)\s*(\/)?>|([^<]+)|</gs,
  )) {
    const parent = open.at(-1)!;
    if (text !== undefined) parent.children.push(readText(text));
    else if (name === undefined) throw new Error(`a < that begins nothing, at ${token}`);
    else if (close) {
      if (open.pop()!.name !== name) throw new Error(`</${name}> closes something else`);
    } else {
      const element = { name, attributes: readAttributes(attributes ?? ''), children: [] };
      parent.children.push(element);
      if (!empty) open.push(element);
    }
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)!.name}> is not closed`);
  const elements = root.children.filter((child) => typeof child === 'object');
  if (elements.length !== 1) throw new Error('not one element around everything');
  return elements[0]!;
}

/** Returns an element and all its descendants, in document order. */
export function elementsOf(element: XmlElement): XmlElement[] {
  return [
    element,
    ...element.children.flatMap((child) => (typeof child === 'string' ? [] : elementsOf(child))),
  ];
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(/([A-Za-z][\w:-]*)="([^"]*)"/g)) {
    if (Object.hasOwn(attributes, name!)) throw new Error(`${name} stands twice`);
    attributes[name!] = readText(value!);
  }
  return attributes;
}

function readText(text: string): string {
  return text.replaceAll(/&(#(\d+)|\w+)?(;)?/g, (reference, name: string, code?: string, end?: string) => {
    const meant = code === undefined ? named[name] : String.fromCodePoint(Number(code));
    if (end === undefined || meant === undefined || !allowed.test(meant))
      throw new Error(`no reference: ${reference}`);
    return meant;
  });
}
