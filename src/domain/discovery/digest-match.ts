import type { VersionState } from './fact.ts';
import type { Reason } from './reasons.ts';

/** How definite a version has to be left by its file or cluster for its digest to decide. */
export const statesByDigest = ['floating', 'digest'] as const satisfies readonly VersionState[];

/** Reasons that a digest answers. */
const answeredByDigest: readonly (Reason | null)[] = ['floating', 'digest'];

export interface DigestItem {
  readonly versionState: VersionState;
  readonly reason: Reason | null;
  readonly digest: string | null;
  /** The upstream that counts. */
  readonly sourceType: string | null;
}

/**
 * Whether the version of an item is that of the release with its digest, which may not be known yet. Only registries have
 * digests.
 */
export function isKnownByDigest({ versionState, reason, digest, sourceType }: DigestItem): boolean {
  return (
    digest !== null &&
    sourceType === 'oci_registry' &&
    statesByDigest.some((state) => state === versionState) &&
    answeredByDigest.includes(reason)
  );
}

/** Why an item can't be accepted, once its version is known by its digest. */
export function withoutAnswered(reason: Reason | null): Reason | null {
  return answeredByDigest.includes(reason) ? null : reason;
}
