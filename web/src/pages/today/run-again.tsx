import { Button } from '@mantine/core';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';

const operations = {
  gather: 'runGatherJob',
  scrape: 'runScrapeJob',
  helm_sync: 'runHelmSyncJob',
  discovery: 'runDiscoveryJob',
} as const;

/** Button that runs a failed job again. */
export function RunAgainButton({
  kind,
  id,
  name,
}: {
  kind: keyof typeof operations;
  id: number;
  name: string;
}) {
  const isAllowed = useHasRole('member');
  const run = useAction(operations[kind], { done: `Run queued for "${name}"` });
  if (!isAllowed) return null;
  return (
    <Button
      variant="default"
      size="compact-xs"
      loading={run.isPending}
      aria-label={`Retry ${name}`}
      onClick={() => run.mutate({ path: { id } })}
    >
      Retry
    </Button>
  );
}
