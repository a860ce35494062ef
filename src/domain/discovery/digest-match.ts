import type { VersionState } from './fact.ts';
import type { Reason } from './reasons.ts';

/** Version states in files and clusters for which the digest determines the version. */
export const digestResolvedStates = ['floating', 'digest'] as const satisfies readonly VersionState[];

/** Reasons that no longer apply once the version is known by its digest. */
const reasonsResolvedByDigest: readonly (Reason | null)[] = ['floating', 'digest'];

export interface DigestItem {
  readonly versionState: VersionState;
  readonly reason: Reason | null;
  readonly digest: string | null;
  /** Source type of the effective upstream. */
  readonly sourceType: string | null;
}

/**
 * True if the version of an item is determined by its digest. The release with that digest might not be known
 * yet. Only releases of registries have digests.
 */
export function isKnownByDigest({ versionState, reason, digest, sourceType }: DigestItem): boolean {
  return (
    digest !== null &&
    sourceType === 'oci_registry' &&
    digestResolvedStates.some((state) => state === versionState) &&
    reasonsResolvedByDigest.includes(reason)
  );
}

/** Returns the reason that an item can't be accepted, after its digest has determined the version. */
export function reasonAfterDigestMatch(reason: Reason | null): Reason | null {
  return reasonsResolvedByDigest.includes(reason) ? null : reason;
}
