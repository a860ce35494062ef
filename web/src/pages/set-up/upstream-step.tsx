import { Box, Button, Divider, Group, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type SourceTypeId, sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { ArtifactField, artifactOf } from '../../components/artifact-field.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { sourceTypeOptions } from '../../components/source-type-options.ts';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { TextLink } from '../../ui/links.tsx';
import { nameOf } from '../gather-jobs/gather-job-form.tsx';
import { ChoiceList } from './choice-list.tsx';

/** What needs more than an address is made with the whole form. */
const simpleSources = sourceTypeOptions.filter(
  ({ value }) => !sourceTypes[value].options.some(({ isRequired }) => isRequired),
);

/** For whoever only wants to see how it works. */
const examples: readonly { name: string; source_type: SourceTypeId; artifact_name: string }[] = [
  { name: 'Grafana', source_type: 'github_releases', artifact_name: 'github.com/grafana/grafana' },
  { name: 'PostgreSQL', source_type: 'oci_registry', artifact_name: 'docker.io/library/postgres' },
  { name: 'cert-manager', source_type: 'helm_repository', artifact_name: 'charts.jetstack.io/cert-manager' },
  { name: 'Forgejo', source_type: 'gitea_releases', artifact_name: 'codeberg.org/forgejo/forgejo' },
];

/** What is followed: something that is followed already, or an address. @param job the one that is chosen now. */
export function UpstreamStep({
  job,
  onSettled,
}: {
  job: Schemas['GatherJob'] | undefined;
  onSettled(gatherJobId: number): void;
}) {
  const own = useApi('listGatherJobsDropdown');
  const global = useApi('listGlobalGatherJobsDropdown');
  const toChoice = ({ id, name, latest_version }: Schemas['GatherJobDropdownItem']) => ({
    id,
    name,
    note: latest_version,
  });
  const others = own.data?.filter(({ id }) => id !== job?.id) ?? [];
  const hasChoice = others.length > 0 || (global.data?.length ?? 0) > 0;
  return (
    <Stack gap="md">
      <ChoiceList
        label="Popular software (shared sources)"
        choices={global.data?.map(toChoice) ?? []}
        onChoose={onSettled}
      />
      <ChoiceList label="Existing sources" choices={others.map(toChoice)} onChoose={onSettled} />
      {hasChoice && <Divider label="Or add a new one" />}
      <SourceForm job={job?.scope === 'organization' ? job : undefined} onSettled={onSettled} />
    </Stack>
  );
}

/** The job in its simplest form. One that was made in this step, and was wrong, is changed rather than made twice. */
function SourceForm({
  job,
  onSettled,
}: {
  job: Schemas['GatherJob'] | undefined;
  onSettled(gatherJobId: number): void;
}) {
  const create = useAction('createGatherJob', { quiet: true });
  const update = useAction('updateGatherJob', { quiet: true });
  const form = useForm({
    initialValues: {
      artifact_name: job?.artifact_name ?? '',
      source_type: job?.source_type ?? ('github_releases' as SourceTypeId),
    },
  });
  const { about } = sourceTypes[form.values.source_type];
  const { onSubmit, error, isBusy } = useSubmit(form, async (values) => {
    const body = {
      ...values,
      name: nameOf(artifactOf(values.source_type, values.artifact_name)).slice(0, 200),
    };
    const { id } = job
      ? await update.mutateAsync({ path: { id: job.id }, body })
      : await create.mutateAsync({ body: { ...body, cron_expression: suggestedSchedules.upstream } });
    onSettled(id);
  });
  return (
    <form onSubmit={onSubmit}>
      <Group align="flex-start" gap="sm">
        <Box flex="2 1 20rem">
          <ArtifactField
            label="URL or name"
            sourceType={form.values.source_type}
            onSourceType={(type) => form.setFieldValue('source_type', type)}
            {...form.getInputProps('artifact_name')}
          />
        </Box>
        <Select
          label="Source type"
          description={about}
          data={simpleSources}
          allowDeselect={false}
          flex="1 1 13rem"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('source_type')}
        />
      </Group>
      <Group gap={6} mt="xs">
        <Text size="sm" c="var(--text-muted)">
          Examples:
        </Text>
        {examples.map(({ name, ...values }) => (
          <Button key={name} variant="default" size="compact-sm" onClick={() => form.setValues(values)}>
            {name}
          </Button>
        ))}
      </Group>
      <Text size="sm" c="var(--text-muted)" mt="xs">
        For private sources or custom tag formats, use{' '}
        <TextLink to="/gather-jobs/new" inherit underline="always">
          the full form
        </TextLink>
        . The source then appears here under “Existing sources”.
      </Text>
      <FormActions submit={job ? 'Use this source instead' : 'Continue'} isBusy={isBusy} error={error} />
    </form>
  );
}
