import { RunError } from '../domain/runs/run-error.ts';
import { type ArtifactType, getManifest, manifestTypes, type OciDetailsContext } from './oci-dates.ts';
import type { HighestTags } from './read-oci-tags.ts';

/** Number of manifests that a run requests to find the kind of tags. Later runs request the next ones. */
const maxChecks = 60;
/** Number of tags of the other kind that are remembered, so that later runs don't request their manifests again. */
const maxRemembered = 20_000;

export interface TagsOfType {
  highest: HighestTags;
  /** Number of tags of another kind. */
  others: number;
  /** Number of tags whose kind isn't known yet. */
  unchecked: number;
  /** True if all of these are lower than the highest selected tag. */
  isAtTop: boolean;
}

/** Tags of other kinds, by repository. A tag practically never changes its kind. */
const remembered = new Set<string>();

/**
 * Selects the tags of one kind of artifact. The kind is in the manifest, so only the manifests of new tags are
 * requested, beginning with the highest version: stored tags have the selected kind.
 */
export async function selectArtifactType(
  type: ArtifactType,
  { plain, others }: HighestTags,
  context: Pick<OciDetailsContext, 'requests' | 'read' | 'signal' | 'knownTags' | 'reference'>,
): Promise<TagsOfType> {
  const known = new Set(context.knownTags);
  const found: TagsOfType = { highest: { plain: [], others: [] }, others: 0, unchecked: 0, isAtTop: true };
  const keyOf = (tag: string) => `${type} ${context.reference.domain}/${context.reference.path}:${tag}`;
  const leave = (list: keyof HighestTags) => {
    found.unchecked += 1;
    if (found.highest[list].length === 0) found.isAtTop = false;
  };
  let checks = 0;
  let isLimited = false;
  for (const list of ['plain', 'others'] as const) {
    for (const tag of list === 'plain' ? plain : others) {
      if (known.has(tag)) found.highest[list].push(tag);
      else if (remembered.has(keyOf(tag))) found.others += 1;
      else if (isLimited || checks >= maxChecks) leave(list);
      else {
        checks += 1;
        const kind = await artifactTypeOf(tag, context);
        if (kind === 'unknown') {
          isLimited = true;
          leave(list);
        } else if (kind === type) found.highest[list].push(tag);
        else {
          found.others += 1;
          remember(keyOf(tag));
        }
      }
    }
  }
  return found;
}

/** Returns the kind of a tag, or `unknown` if the registry doesn't return its manifest at this time. */
async function artifactTypeOf(
  tag: string,
  context: Pick<OciDetailsContext, 'requests' | 'read' | 'signal'>,
): Promise<ArtifactType | null | 'unknown'> {
  try {
    return (await getManifest(context, `manifests/${encodeURIComponent(tag)}`, manifestTypes)).artifactType;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof RunError)) throw error;
    // A tag without a manifest can't be deployed.
    return error.code === 'not_found' ? null : 'unknown';
  }
}

function remember(key: string): void {
  if (remembered.size >= maxRemembered) remembered.delete(remembered.values().next().value ?? '');
  remembered.add(key);
}
