interface Compared {
  service: string;
  component: string | null;
  is_complete: boolean;
}

const maxNamed = 3;

/**
 * Returns sentences for the page and the CLI about the environments and scrape jobs that the limits of the installation
 * exclude from the matrix or from promotions.
 * @param jobs Term for scrape jobs in the sentences.
 */
export function describeIncompleteComparison(
  hasAllEnvironments: boolean,
  rows: readonly Compared[],
  jobs: 'scrape jobs' | 'version trackers',
): string[] {
  const cut = rows
    .filter(({ is_complete }) => !is_complete)
    .map(({ service, component }) => (component === null ? service : `${service}/${component}`));
  const others = cut.length - maxNamed;
  const named = [
    ...cut.slice(0, maxNamed),
    ...(others > 0 ? [`${others} more ${others === 1 ? 'service' : 'services'}`] : []),
  ];
  return [
    ...(hasAllEnvironments
      ? []
      : [
          'Only the first environments in alphabetical order are compared, because of the setting limits.environments.',
        ]),
    ...(named.length === 0
      ? []
      : [
          `Only some ${jobs} of ${new Intl.ListFormat('en').format(named)} are compared, because of the setting limits.service_jobs.`,
        ]),
  ];
}
