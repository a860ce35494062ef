/** Returns the image of a Pacekeeper release. Users replace `OWNER` with the owner of the repository. */
export function publishedImage(version: string): string {
  return `ghcr.io/OWNER/pacekeeper:${version}`;
}

/** Returns the chart of a Pacekeeper release, with its `--version` option. */
export function publishedChart(version: string): string {
  return `oci://ghcr.io/OWNER/pacekeeper/charts/pacekeeper --version ${version}`;
}

export const replaceOwner = 'Replace OWNER with the owner of the repository that publishes Pacekeeper.';
