import { type FileReference, type Place, toReference } from './configuration-entries.ts';
import { kindOf, type Section } from './kinds.ts';
import { addProblem, type Draft, type Target } from './plan-steps.ts';

/** Resolves a name to an entry of the file or a resource of the server. Adds a problem and returns undefined if not found. */
export function resolveReference(
  draft: Draft,
  place: Place,
  section: Section,
  written: unknown,
): Target | undefined {
  const reference = toReference(written);
  const found = reference.isGlobal ? null : findInFile(draft, section, reference);
  const result = found ?? findOnServer(draft, section, reference);
  if (typeof result !== 'string') return result;
  addProblem(draft, place, result);
  return undefined;
}

/** Null if some of them can't be resolved. */
export function resolveReferences(
  draft: Draft,
  place: Place,
  section: Section,
  written: unknown,
): Target | Target[] | null {
  if (!Array.isArray(written)) return resolveReference(draft, place, section, written) ?? null;
  const found = written.map((each) => resolveReference(draft, place, section, each));
  return found.every((target) => target !== undefined) ? found : null;
}

/** A string describes a problem. Null: the name isn't in the file. */
function findInFile(
  { named: { entries } }: Draft,
  section: Section,
  { name, key }: FileReference,
): Target | string | null {
  const { word } = kindOf(section);
  const named = entries(section, name);
  if (named.length === 0) return null;
  const fitting = key === null ? named : named.filter((entry) => entry.key === key);
  const [only] = fitting;
  if (!only) return `no ${word} named "${name}" has key ${key}.`;
  if (fitting.length === 1) return { entry: only };
  const example = `{name: ${JSON.stringify(name)}, key: ${named[0]?.key ?? 1}}`;
  return `${named.length} ${word}s are named "${name}". Specify one: ${example}.`;
}

function findOnServer(
  { named: { own, global }, referred }: Draft,
  section: Section,
  { name, key, isGlobal }: FileReference,
): Target | string {
  const { word } = kindOf(section);
  const named = isGlobal ? global(section, name) : own(section, name);
  const item = key === null ? named[0] : named[Number(key) - 1];
  if (!item) {
    const withKey = key === null ? '' : ` with the key ${key}`;
    return `no ${isGlobal ? 'global ' : ''}${word} named "${name}"${withKey}.`;
  }
  if (key === null && named.length > 1) {
    const ids = named.map(({ id }) => String(id)).join(', ');
    return `${named.length} ${word}s are named "${name}" (IDs ${ids}). Add a key.`;
  }
  if (!isGlobal) referred.add(`${section}/${String(item['id'])}`);
  return { id: Number(item['id']) };
}
