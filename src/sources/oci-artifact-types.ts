import { RunError } from '../domain/runs/run-error.ts';
import type { RunErrorCode } from '../domain/runs/run-error-codes.ts';
import { type ArtifactType, getManifest, manifestTypes, type OciDetailsContext } from './oci-dates.ts';
import type { HighestTags } from './read-oci-tags.ts';

/** Maximum number of manifests that a run requests to determine the kinds of tags. Later runs request more. */
const maxChecks = 60;
/** Number of tags whose kinds are remembered, so that later runs don't request their manifests again. */
const maxRemembered = 20_000;

export interface TagsOfType {
  highest: HighestTags;
  /** Number of tags of another kind. */
  others: number;
  /** Number of tags whose kind isn't known yet. */
  unchecked: number;
  /** True if all tags whose kind isn't known are lower than the highest selected tag. */
  isAtTop: boolean;
}

/**
 * Kinds of tags, by job owner, credential, and repository. A tag practically never changes its kind. Tags of
 * the selected kind are remembered, too, because the server doesn't store the ones that a pattern excludes.
 */
const remembered = new Map<string, ArtifactType | null>();

type TypesContext = Pick<OciDetailsContext, 'http' | 'reference'>;

/** Errors after which other manifests of the registry would fail, too. */
const limitingCodes: readonly RunErrorCode[] = ['rate_limited', 'unreachable', 'timeout', 'upstream_error'];

/**
 * Returns the tags of a repository whose kinds are known from earlier runs: those of the given kind, and those of other
 * kinds.
 */
export function rememberedTags(
  type: ArtifactType,
  context: TypesContext,
): { selected: string[]; others: string[] } {
  const prefix = prefixOf(context);
  const found = { selected: [] as string[], others: [] as string[] };
  for (const [key, kind] of remembered)
    if (key.startsWith(prefix)) found[kind === type ? 'selected' : 'others'].push(key.slice(prefix.length));
  return found;
}

function prefixOf({ http, reference: { domain, path } }: TypesContext): string {
  return `${http.scope} ${domain}/${path}:`;
}

/**
 * Selects the tags of one kind of artifact. The kind is only in the manifest. Manifests are requested only for new
 * tags, beginning with the highest version, because stored tags already have the selected kind.
 */
export async function selectArtifactType(
  type: ArtifactType,
  { plain, others }: HighestTags,
  context: Pick<OciDetailsContext, 'http' | 'requests' | 'read' | 'signal' | 'knownTags' | 'reference'>,
): Promise<TagsOfType> {
  const known = new Set(context.knownTags);
  const found: TagsOfType = { highest: { plain: [], others: [] }, others: 0, unchecked: 0, isAtTop: true };
  const prefix = prefixOf(context);
  const leave = (list: keyof HighestTags) => {
    found.unchecked += 1;
    if (found.highest[list].length === 0) found.isAtTop = false;
  };
  let checks = 0;
  let isLimited = false;
  for (const list of ['plain', 'others'] as const) {
    for (const tag of list === 'plain' ? plain : others) {
      const before = known.has(tag) ? type : remembered.get(`${prefix}${tag}`);
      if (before === type) found.highest[list].push(tag);
      else if (before !== undefined) found.others += 1;
      else if (isLimited || checks >= maxChecks) leave(list);
      else {
        checks += 1;
        const kind = await artifactTypeOf(tag, context);
        if (kind === 'unknown' || kind === 'limited') {
          isLimited = kind === 'limited';
          leave(list);
        } else {
          remember(`${prefix}${tag}`, kind);
          if (kind === type) found.highest[list].push(tag);
          else found.others += 1;
        }
      }
    }
  }
  return found;
}

/**
 * Returns the kind of a tag, `unknown` if the registry doesn't return its manifest, or `limited` if it doesn't return
 * any manifest at this time.
 */
async function artifactTypeOf(
  tag: string,
  context: Pick<OciDetailsContext, 'requests' | 'read' | 'signal'>,
): Promise<ArtifactType | null | 'unknown' | 'limited'> {
  try {
    return (await getManifest(context, `manifests/${encodeURIComponent(tag)}`, manifestTypes)).artifactType;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof RunError)) throw error;
    return limitingCodes.includes(error.code) ? 'limited' : 'unknown';
  }
}

function remember(key: string, kind: ArtifactType | null): void {
  if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value ?? '');
  remembered.set(key, kind);
}
