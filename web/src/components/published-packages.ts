/** Where releases are published. `OWNER`, the owner of the repository, is for the reader to replace. */
export function publishedImage(version: string): string {
  return `ghcr.io/OWNER/pacekeeper:${version}`;
}

/** The chart with the option that names its version. */
export function publishedChart(version: string): string {
  return `oci://ghcr.io/OWNER/pacekeeper/charts/pacekeeper --version ${version}`;
}

export const replaceOwner = 'Replace OWNER with the owner of the repository that publishes Pacekeeper.';
