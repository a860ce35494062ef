/** An unexpected change to the commit or digest of a published release. */
export interface ReleaseChange {
  /** Time when a run noticed the change, in milliseconds since 1970. */
  readonly atMs: number;
  /** The previous commit or digest. */
  readonly from: string;
  /** The commit or digest that replaced it. */
  readonly to: string;
}

/**
 * Maximum number of changes that are stored for a release. Further ones replace the last one, so the times at which lower
 * counts were reached stay known.
 */
export const maxReleaseMoves = 100;

/**
 * Maximum number of tags of an image whose digests a run reads. Lower tags keep a known digest, but changes
 * to these tags aren't noticed.
 */
export const maxCheckedTags = 40;
