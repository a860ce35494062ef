import { dockerHub, splitOciReference } from '../artifacts/oci-reference.ts';
import type { SourceTypeId } from '../source-types/source-types.ts';
import { readTag } from '../versions/read-tag.ts';
import type { ReleaseSet } from './release-set.ts';

/**
 * Reasons for which a change to the commit or digest of a published version is expected.
 * - `moving_tag`: the tag isn't a version, or it moves with each release of its line.
 * - `official_image`: Docker rebuilds all tags of its official images when their base images change.
 * - `observed`: the source has changed published versions on several days before.
 */
export type ExpectedMoveReason = 'moving_tag' | 'official_image' | 'observed';

/** The source of a release that changed. */
interface MovedSource {
  sourceType: SourceTypeId;
  /** The upstream, if the artifact is a mirror, otherwise the artifact. */
  upstreamName: string;
  /** Number of earlier days on which digests of versions changed, without a long pause between these days. */
  rebuildCount: number;
}

/** Number of earlier changes after which further changes are expected. Fewer could be a coincidence. */
const requiredChangeCount = 3;

/** Repositories with the official images of Docker, and mirrors of them that their hosts maintain. */
const officialImages = ['public.ecr.aws/docker/library/', 'mirror.gcr.io/library/'];

/**
 * Returns the known reason why a release changed, or `null` if none applies.
 *
 * Image publishers often rebuild all of their versions, so earlier digest changes of any version of the
 * source count. A Git tag has no reason to change its commit, so only earlier changes to the same tag count.
 *
 * @param releases All releases of the source, read as image tags.
 */
export function findExpectedMoveReason(
  source: MovedSource,
  { tag, version, kind, earlierMoves }: MovedTag,
  releases: ReleaseSet,
): ExpectedMoveReason | null {
  if (source.sourceType === 'oci_registry') {
    if (isOfficialImage(source.upstreamName)) return 'official_image';
    if (readTag(tag) !== 'version' || isMovingImageTag(version, releases)) return 'moving_tag';
  } else if (isMovingTag(version, releases)) return 'moving_tag';
  return (kind === 'digest' ? source.rebuildCount : earlierMoves) >= requiredChangeCount ? 'observed' : null;
}

interface MovedTag {
  tag: string;
  version: string;
  kind: 'commit' | 'digest';
  /** Number of earlier changes to the release. */
  earlierMoves: number;
}

function isOfficialImage(upstreamName: string): boolean {
  if (officialImages.some((prefix) => upstreamName.startsWith(prefix))) return true;
  const { domain, path } = splitOciReference(upstreamName);
  return domain === dockerHub && path.startsWith('library/');
}

function isMovingImageTag(text: string, releases: ReleaseSet): boolean {
  const version = releases.parse(text);
  return version === null || releases.isPlatformTag(version) || releases.movesTo(version) !== null;
}

/**
 * True for tags such as `v4` and `1.2`, if other releases have more numbers. Unlike an image tag, the Git tag
 * `1.2.3` doesn't move if `1.2.3-1` exists, because both are published only once.
 */
function isMovingTag(text: string, releases: ReleaseSet): boolean {
  const version = releases.parse(text);
  if (version === null) return true;
  const { length } = version.numbers;
  const target = releases.movesTo(version);
  if (target !== null && target.version.numbers.length > length) return true;
  // The tag of a new major version can appear before the first release with more numbers.
  const line = releases.lines.get(version.line)?.releases ?? [];
  return length === 1 && line.some((release) => release.version.numbers.length > 1);
}
