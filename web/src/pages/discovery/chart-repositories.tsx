import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { readChartSource } from '../../../../src/domain/discovery/chart-repository.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Section } from '../../ui/facts.tsx';
import { countOf } from '../../ui/format.ts';
import classes from './chart-repositories.module.css';

type Chart = Schemas['DiscoveredGroup'];

/** Number of charts shown at first. A cluster has a few dozen Helm releases. */
const shownCharts = 5;
const maxCharts = 200;

/**
 * Lists the charts in a cluster for which no repository is known, because Helm doesn't record the repository
 * of a chart. A choice applies to all releases of a chart.
 */
export function ChartRepositories({ job }: { job: Schemas['DiscoveryJob'] }) {
  const [isExpanded, setExpanded] = useState(false);
  const [edited, setEdited] = useState<Chart | null>(null);
  const ofReleases = { extractor: 'helm_release', status: 'new', group_by: 'artifact' } as const;
  const query = { discovery_job_id: job.id, ...ofReleases, limit: maxCharts };
  const charts = (useApi('listDiscoveredItems', { query }).data?.groups ?? []).filter(
    ({ unresolved_count, proposal }) => unresolved_count > 0 && !proposal.is_confirmed,
  );
  if (charts.length === 0) return null;
  return (
    <Section title="Chart repositories">
      <Text size="sm" c="var(--text-muted)" mb="sm">
        Helm doesn't record which repository these charts come from. Your choice applies to all releases of a
        chart, including in later scans.
      </Text>
      <ul className={classes['charts']}>
        {charts.slice(0, isExpanded ? undefined : shownCharts).map((chart) => (
          <ChartRow key={chart.artifact.key} chart={chart} onEnter={() => setEdited(chart)} />
        ))}
      </ul>
      {charts.length > shownCharts && !isExpanded && (
        <Button size="xs" variant="subtle" mt="xs" onClick={() => setExpanded(true)}>
          Show all {countOf(charts.length, 'chart')}
        </Button>
      )}
      {edited && <RepositoryDialog chart={edited} close={() => setEdited(null)} />}
    </Section>
  );
}

function ChartRow({ chart, onEnter }: { chart: Chart; onEnter: () => void }) {
  const { artifact, item_id, place_count, versions, proposal } = chart;
  const enterLabel = proposal.candidates.length === 0 ? 'Enter repository' : 'Enter another repository';
  const choose = useAction('updateDiscoveredItem', { done: `Repository of ${artifact.name} saved` });
  return (
    <li>
      <div>
        <Text size="sm" fw={600}>
          {artifact.name}
        </Text>
        <Text size="xs" c="var(--text-muted)">
          {countOf(place_count, 'release')}
          {versions.length > 0 && `, ${versions.slice(0, 3).join(', ')}`}
        </Text>
      </div>
      <Stack gap={6} align="flex-start">
        {proposal.candidates.map(({ source_type, artifact_name, source_options, why }) => (
          <Group key={`${source_type} ${artifact_name}`} gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              disabled={choose.isPending}
              aria-label={`Use ${artifact_name} for ${artifact.name}`}
              onClick={() =>
                choose.mutate({
                  path: { id: item_id },
                  body: { source_type, artifact_name, source_options, apply_to: 'artifact' },
                })
              }
            >
              {artifact_name}
            </Button>
            <Text size="xs" c="var(--text-muted)">
              {why}
            </Text>
          </Group>
        ))}
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`${enterLabel} for ${artifact.name}`}
            onClick={onEnter}
          >
            {enterLabel}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={choose.isPending}
            aria-label={`Not published: ${artifact.name}`}
            onClick={() =>
              choose.mutate({
                path: { id: item_id },
                body: { source_type: null, artifact_name: null, apply_to: 'artifact' },
              })
            }
          >
            Not published
          </Button>
        </Group>
      </Stack>
    </li>
  );
}

function RepositoryDialog({ chart, close }: { chart: Chart; close: () => void }) {
  const { artifact, item_id } = chart;
  const update = useAction('updateDiscoveredItem', {
    quiet: true,
    done: `Repository of ${artifact.name} saved`,
  });
  const form = useForm({
    initialValues: { artifact_name: '' },
    validate: {
      artifact_name: (text) =>
        readChartSource(text, artifact.name) ? null : 'Enter a URL that starts with https:// or oci://.',
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ artifact_name }) => {
    const source = readChartSource(artifact_name, artifact.name);
    if (source === null) return;
    await update.mutateAsync({ path: { id: item_id }, body: { ...source, apply_to: 'artifact' } });
    close();
  });
  return (
    <Dialog onClose={close} isDirty={() => form.isDirty()} title={`Repository of ${artifact.name}`}>
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <TextInput
            label="Repository URL"
            description="Enter the URL that helm repo list shows, such as https://charts.example.org, or an OCI registry such as oci://ghcr.io/acme/charts."
            required
            data-autofocus
            spellCheck={false}
            {...form.getInputProps('artifact_name')}
          />
          <FormActions submit="Save" isBusy={isBusy} error={error} onCancel={close} />
        </Stack>
      </form>
    </Dialog>
  );
}
