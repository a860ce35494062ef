import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../../api/use-action.ts';
import { ExistingConfigLink } from '../../components/existing-config-link.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';

/** Puts the parts together. */
export function WatchForm({
  name,
  scrapeJobId,
  gatherJobId,
  ruleId,
  preview,
  onSettled,
}: {
  name: string;
  /** What the rule says about the two now; null where that isn't known yet. */
  preview: string | null;
  scrapeJobId: number;
  gatherJobId: number;
  ruleId: number;
  onSettled(alertConfigId: number): void;
}) {
  const create = useAction('createAlertConfig', { quiet: true });
  const form = useForm({ initialValues: { name } });
  const { onSubmit, error, isBusy } = useSubmit(form, async (values) => {
    const parts = { scrape_job_id: scrapeJobId, gather_job_id: gatherJobId, rule_id: ruleId };
    onSettled((await create.mutateAsync({ body: { ...values, ...parts } })).id);
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs" maw={480}>
        <Text size="sm">{preview ?? 'Pacekeeper evaluates the rule when both versions are known.'}</Text>
        <Text size="sm" c="var(--text-muted)">
          Pacekeeper re-evaluates whenever either version changes, and as time passes.
        </Text>
        <TextInput label="Monitor name" required {...form.getInputProps('name')} />
        <ExistingConfigLink error={error} />
        <FormActions submit="Create monitor" isBusy={isBusy} error={error} />
      </Stack>
    </form>
  );
}
