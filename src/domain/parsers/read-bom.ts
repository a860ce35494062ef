import { parseBoundedJson } from '../json/bounded-json.ts';
import { ownValue } from '../json/own-value.ts';

/** A component of a bill of materials. */
export interface BomComponent {
  name: string;
  /** Null if the component has no group, or if the format has no groups, as in SPDX. */
  group: string | null;
  /** Package URL as written, with its version. */
  purl: string | null;
  /** Version as written. */
  version: string | null;
}

export type ReadBom =
  | { ok: true; components: BomComponent[] }
  | {
      ok: false;
      /** Predicate of a sentence about the document, such as "isn't valid JSON". */
      problem: string;
    };

/** Limits of a document. The largest real documents, of images with an operating system, have about 200,000 values. */
const limits = { values: 500_000, members: 50_000, depth: 100 };
/** Components with a longer name or group are skipped. */
const maxNameLength = 500;

/** Reads a bill of materials in the JSON form of CycloneDX 1 or SPDX 2. Never throws. */
export function readBom(text: string): ReadBom {
  const parsed = parseBoundedJson(text.startsWith('\uFEFF') ? text.slice(1) : text, limits);
  if (!parsed.ok)
    return {
      ok: false,
      problem:
        parsed.problem === 'invalid'
          ? "isn't valid JSON. Other forms of CycloneDX and SPDX aren't supported"
          : `has more than ${format(limits.values)} values, more than ${format(limits.members)} items in a list, or more than ${limits.depth} levels of nesting`,
    };
  const document = parsed.value;
  if (isCycloneDx(document)) return { ok: true, components: [...componentsOf(document)] };
  const spdxVersion = textOf(document, 'spdxVersion');
  if (spdxVersion === null)
    return {
      ok: false,
      problem:
        'is neither a CycloneDX document (bomFormat and specVersion) nor an SPDX 2.2 or 2.3 document (spdxVersion)',
    };
  if (!/^SPDX-2\.[23]$/.test(spdxVersion))
    return { ok: false, problem: "is an SPDX document of a version that isn't supported. Use SPDX 2.3" };
  return { ok: true, components: listOf(document, 'packages').flatMap(toSpdxComponent) };
}

function format(count: number): string {
  return count.toLocaleString('en-US');
}

function isCycloneDx(document: unknown): boolean {
  return (
    textOf(document, 'bomFormat') === 'CycloneDX' && /^1\.\d+$/.test(textOf(document, 'specVersion') ?? '')
  );
}

/** Yields the main component of a document, all its components, and the components that they contain. */
function* componentsOf(document: unknown): Generator<BomComponent, void> {
  // The order of the document is kept: each component precedes those that it contains.
  const waiting = [member(member(document, 'metadata'), 'component'), ...listOf(document, 'components')];
  waiting.reverse();
  while (waiting.length > 0) {
    const entry = waiting.pop();
    const contained = listOf(entry, 'components');
    for (let index = contained.length - 1; index >= 0; index--) waiting.push(contained[index]);
    const name = textOf(entry, 'name');
    const group = textOf(entry, 'group');
    if (name === null || name.length > maxNameLength || (group?.length ?? 0) > maxNameLength) continue;
    yield { name, group, purl: textOf(entry, 'purl'), version: textOf(entry, 'version') };
  }
}

function toSpdxComponent(entry: unknown): BomComponent[] {
  const name = textOf(entry, 'name');
  if (name === null || name.length > maxNameLength) return [];
  const version = textOf(entry, 'versionInfo');
  const reference = listOf(entry, 'externalRefs').find((each) => textOf(each, 'referenceType') === 'purl');
  return [
    {
      name,
      group: null,
      purl: textOf(reference, 'referenceLocator'),
      // In SPDX, these values mean that the author didn't try to determine the version, or that the package
      // has none.
      version: version === 'NOASSERTION' || version === 'NONE' ? null : version,
    },
  ];
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ownValue(value as Record<string, unknown>, key)
    : undefined;
}

/** Returns a field that is a string and isn't empty, or `null`. */
function textOf(value: unknown, key: string): string | null {
  const text = member(value, key);
  return typeof text === 'string' && text !== '' ? text : null;
}

function listOf(value: unknown, key: string): unknown[] {
  const list = member(value, key);
  return Array.isArray(list) ? (list as unknown[]) : [];
}
