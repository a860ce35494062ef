import { isPublicForge } from '../artifacts/forges.ts';
import { readPastedText } from './pasted-text.ts';
import type { Evidence } from './source-type.ts';
import { isGathered, type SourceTypeId, sourceTypeIds, sourceTypes } from './source-types.ts';

export interface GuessedSource {
  source_type: SourceTypeId;
  artifact_name: string;
}

/**
 * Returns the possible sources of pasted text: the guessed one first, then the others in their usual order.
 * Excludes source types whose releases no agent collects, because users select those from a list instead of
 * pasting text.
 */
export function possibleSources(pasted: string): GuessedSource[] {
  if (pasted.trim() === '') return [];
  const guess = guessSource(pasted);
  if (guess === null && lacksRepository(pasted)) return [];
  const others = sourceTypeIds
    .filter((id) => id !== guess?.source_type && isGathered(id))
    .flatMap((id): GuessedSource[] => {
      const name = sourceTypes[id].normalizeArtifactName(pasted);
      return name.ok ? [{ source_type: id, artifact_name: name.artifactName }] : [];
    });
  return guess === null ? others : [guess, ...others];
}

/** True if the text is the address of a public forge, or of an owner on that forge, without a repository. */
export function lacksRepository(pasted: string): boolean {
  const { host, path } = readPastedText(pasted);
  return isPublicForge(host) && path.length < 2;
}

/**
 * Returns the default source for pasted text. The user can select another one.
 * @returns `null` if the host can have several source types. The user must then select one.
 */
export function preselectedSource(pasted: string): GuessedSource | null {
  const [first, ...others] = possibleSources(pasted);
  if (first === undefined) return null;
  const isHost = /[.:]/u.test(readPastedText(pasted).host);
  return others.length === 0 || !isHost || guessSource(pasted) !== null ? first : null;
}

const strongestFirst: readonly Evidence[] = ['form', 'host', 'ending'];

/**
 * Returns the source type that pasted text indicates, and the artifact name for that type.
 * @returns `null` if the text doesn't indicate a type.
 */
export function guessSource(pasted: string): GuessedSource | null {
  const text = readPastedText(pasted);
  const evidence = sourceTypeIds.map((id) => [id, sourceTypes[id].recognize(text)] as const);
  const [id] = strongestFirst.flatMap((strength) =>
    evidence.filter(([, found]) => found === strength).map(([each]) => each),
  );
  if (id === undefined) return null;
  const name = sourceTypes[id].normalizeArtifactName(pasted);
  return name.ok ? { source_type: id, artifact_name: name.artifactName } : null;
}
