import { nearestName } from '../text/nearest-name.ts';
import { pluralOf } from '../text/plural.ts';
import { type DocumentLocation, type FileReference, toReference } from './configuration-entries.ts';
import { kindOf, type Section } from './kinds.ts';
import { addProblem, type PlanDraft, type Target } from './plan-steps.ts';

/**
 * Resolves a name to an entry of the file or a resource of the server. If the name isn't found, it adds a
 * problem and returns `undefined`.
 */
export function resolveReference(
  draft: PlanDraft,
  place: DocumentLocation,
  section: Section,
  written: unknown,
  field?: string,
): Target | undefined {
  const reference = toReference(written);
  const found = reference.isGlobal ? null : findInFile(draft, section, reference);
  const result = found ?? findOnServer(draft, section, reference);
  if (result !== null && typeof result !== 'string') return result;
  // Don't report an unknown name if the section has an entry whose name can't be read, because the reference might be
  // to that entry.
  if (result !== null || !draft.desired.unnamed.has(section))
    addProblem(draft, place, result ?? describeUnknown(draft, section, reference), field);
  return undefined;
}

/** Resolves one reference or a list. Returns `null` if any reference can't be resolved. */
export function resolveReferences(
  draft: PlanDraft,
  place: DocumentLocation,
  section: Section,
  written: unknown,
  field: string,
): Target | Target[] | null {
  if (!Array.isArray(written)) return resolveReference(draft, place, section, written, field) ?? null;
  const found = written.map((each, index) =>
    resolveReference(draft, place, section, each, `${field}.${index}`),
  );
  return found.every((target) => target !== undefined) ? found : null;
}

/** Returns the entry, a string that describes a problem, or `null` if the name isn't in the file. */
function findInFile(
  { named: { entries } }: PlanDraft,
  section: Section,
  { name, key }: FileReference,
): Target | string | null {
  const { word } = kindOf(section);
  const named = entries(section, name);
  if (named.length === 0) return null;
  const fitting = key === null ? named : named.filter((entry) => entry.key === key);
  const [only] = fitting;
  if (!only) return `no ${word} named "${name}" has the key ${key}. Keys in the file: ${keysOf(named)}.`;
  if (fitting.length === 1) return { entry: only };
  const example = `{ name: ${JSON.stringify(name)}, key: ${named[0]?.key ?? 1} }`;
  return `${named.length} ${pluralOf(word)} are named "${name}". Specify one: ${example}.`;
}

/**
 * Returns the resource, a string that describes a problem, or `null` if the server has no resource with this
 * name.
 */
function findOnServer(
  { named: { own, global }, referred }: PlanDraft,
  section: Section,
  { name, key, isGlobal }: FileReference,
): Target | string | null {
  const { word } = kindOf(section);
  const named = isGlobal ? global(section, name) : own(section, name);
  const item = key === null ? named[0] : named[Number(key) - 1];
  if (!item) {
    if (named.length === 0) return null;
    const several = named.length === 1 ? '1 has' : `${named.length} have`;
    return `no ${word} named "${name}" has the key ${key}. On the server, ${several} this name.`;
  }
  if (key === null && named.length > 1) {
    const ids = named.map(({ id }) => String(id)).join(', ');
    return `${named.length} ${pluralOf(word)} are named "${name}" (IDs ${ids}). Add a key.`;
  }
  if (!isGlobal) referred.add(`${section}/${String(item['id'])}`);
  return { id: Number(item['id']) };
}

/** Maximum number of suggestions, because finding a similar name is slow. */
const maxSuggestions = 100;

function describeUnknown(
  { named, problems }: PlanDraft,
  section: Section,
  { name, isGlobal }: FileReference,
): string {
  const { word } = kindOf(section);
  const lead = `no ${isGlobal ? 'global ' : ''}${word} named "${name}"`;
  if (!isGlobal && named.global(section, name).length > 0)
    return `${lead} in the file or on the server. For the global one, use { name: ${JSON.stringify(name)}, scope: global }.`;
  const near = problems.length < maxSuggestions ? nearestName(name, named.names(section, isGlobal)) : null;
  if (near !== null) return `${lead}; did you mean "${near}"?`;
  return isGlobal ? `${lead}.` : `${lead} in the file or on the server.`;
}

function keysOf(entries: readonly { key: string | null }[]): string {
  const keys = entries.flatMap(({ key }) => (key === null ? [] : [key]));
  return keys.length === 0 ? 'none' : keys.join(', ');
}
