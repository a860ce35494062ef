/** Origin of a package for which Pacekeeper looks up vulnerabilities. */
export type PackageOrigin =
  /** The catalog of known software, which is the same in every installation. */
  | { readonly from: 'catalog' }
  /**
   * A gather job. `isSet` is true if a user set the package or its package URL, and false if both were derived from the
   * job's source.
   */
  | { readonly from: 'job'; readonly isSet: boolean; readonly credentialName: string | null };

/**
 * True if the name of a package can be sent to a third party. A source that requires a credential may be
 * private, and so may the names that are derived from it. A single public source is enough.
 */
export function isPublicPackage(origins: readonly PackageOrigin[]): boolean {
  return origins.some(
    (origin) => origin.from === 'catalog' || origin.isSet || origin.credentialName === null,
  );
}
