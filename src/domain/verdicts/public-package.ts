/** Why a package is followed. */
export type PackageOrigin =
  /** The catalog, which is the same everywhere. */
  | { readonly from: 'catalog' }
  /** A gather job: a person named the package or a package URL of it, or both were derived from the source of the job. */
  | { readonly from: 'job'; readonly isSet: boolean; readonly credentialName: string | null };

/**
 * Whether the name of a package can be sent to a third party. What a job reads with a credential can be private, and so can
 * names that are derived from it. It takes only one public origin.
 */
export function isPublicPackage(origins: readonly PackageOrigin[]): boolean {
  return origins.some(
    (origin) => origin.from === 'catalog' || origin.isSet || origin.credentialName === null,
  );
}
