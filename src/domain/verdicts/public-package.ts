/** Reason why Pacekeeper follows a package. */
export type PackageOrigin =
  /** The catalog, which is the same in every installation. */
  | { readonly from: 'catalog' }
  /**
   * A gather job. `isSet` is true if a user set the package or its package URL, and false if both were
   * derived from the source of the job.
   */
  | { readonly from: 'job'; readonly isSet: boolean; readonly credentialName: string | null };

/**
 * True if the name of a package can be sent to a third party. A source that requires a credential can be
 * private, and so can names that are derived from it. One public origin is enough.
 */
export function isPublicPackage(origins: readonly PackageOrigin[]): boolean {
  return origins.some(
    (origin) => origin.from === 'catalog' || origin.isSet || origin.credentialName === null,
  );
}
