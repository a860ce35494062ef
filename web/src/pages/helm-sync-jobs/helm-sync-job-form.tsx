import { Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { CredentialField } from '../../components/credential-field.tsx';
import { CronField } from '../../components/cron-field.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { useSubmit } from '../../components/use-submit.ts';

export type HelmSyncJobValues = Schemas['CreateHelmSyncJobRequest'];

/**
 * Creates or edits a Helm sync job.
 * @param save Resolves when the server has stored the job.
 */
export function HelmSyncJobForm({
  job,
  save,
  submit,
  onCancel,
}: {
  job?: Schemas['HelmSyncJob'];
  save: (values: HelmSyncJobValues) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
}) {
  const defaults = bodyDefaults.createHelmSyncJob;
  const form = useForm({
    initialValues: {
      name: job?.name ?? '',
      repository_url: job?.repository_url ?? '',
      chart_filter: (job ?? defaults).chart_filter,
      create_gather_jobs: (job ?? defaults).create_gather_jobs,
      cron_expression: (job ? job.cron_expression : suggestedSchedules.upstream) ?? '',
      cron_timezone: (job ?? defaults).cron_timezone,
      credential_name: job?.credential_name ?? '',
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, ({ cron_expression, credential_name, ...values }) =>
    save({
      ...values,
      cron_expression: cron_expression.trim() === '' ? null : cron_expression,
      credential_name: credential_name.trim() === '' ? null : credential_name,
    }),
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        <TextInput
          label="Repository URL"
          description="Without /index.yaml. For example, https://charts.jetstack.io."
          required
          spellCheck={false}
          {...form.getInputProps('repository_url')}
        />
        <TextInput
          label="Name"
          description="For example, Jetstack charts."
          required
          {...form.getInputProps('name')}
        />
        <TagsInput
          label="Charts to include"
          description="Chart names. * and ? are wildcards. Press Enter after each. Leave empty for all charts. For example, cert-manager*."
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...form.getInputProps('chart_filter')}
        />
        <Switch
          label="Create an upstream source for each chart"
          description="Lets you monitor any chart. All sources update from one index request."
          {...form.getInputProps('create_gather_jobs', { type: 'checkbox' })}
        />
        <CronField
          value={form.values.cron_expression}
          onChange={(value) => form.setFieldValue('cron_expression', value)}
          error={form.errors.cron_expression}
          timeZone={form.values.cron_timezone}
          onTimeZoneChange={(value) => form.setFieldValue('cron_timezone', value)}
          timeZoneError={form.errors.cron_timezone}
        />
        <CredentialField {...form.getInputProps('credential_name')} />
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
