import { Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { CredentialField } from '../../components/credential-field.tsx';
import { CronField } from '../../components/cron-field.tsx';
import { RulePicker } from '../../components/entity-picker.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { acceptOptions } from './accept-options.ts';
import { ScanFields, scanValues, toScanRequest } from './scan-fields.tsx';

export type DiscoveryJobValues = Schemas['CreateDiscoveryJobRequest'];

/** Creates or changes a discovery job that reads a repository. @param save resolves when the server has stored it. */
export function DiscoveryJobForm({
  job,
  save,
  submit,
  onCancel,
}: {
  job?: Schemas['DiscoveryJob'];
  save: (values: DiscoveryJobValues) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
}) {
  const defaults = bodyDefaults.createDiscoveryJob;
  const form = useForm({
    initialValues: {
      name: job?.name ?? '',
      repository_url: job?.repository_url ?? '',
      ref: job?.ref ?? defaults.ref,
      include: (job ?? defaults).include,
      exclude: (job ?? defaults).exclude,
      ...scanValues(job ?? defaults),
      accept: (job ?? defaults).accept as string,
      default_rule_id: job?.default_rule_id ?? null,
      cron_expression: (job ? job.cron_expression : suggestedSchedules.deployed) ?? '',
      cron_timezone: (job ?? defaults).cron_timezone,
      credential_name: job?.credential_name ?? '',
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, (values) =>
    save({
      ...values,
      ...toScanRequest(values),
      name: values.name.trim() === '' ? nameOf(values.repository_url) : values.name,
      accept: values.accept as Schemas['DiscoveryAccept'],
      cron_expression: values.cron_expression.trim() === '' ? null : values.cron_expression,
      credential_name: values.credential_name.trim() === '' ? null : values.credential_name,
    }),
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        <TextInput
          label="Repository URL"
          placeholder="https://github.com/acme/deployments"
          required
          spellCheck={false}
          {...form.getInputProps('repository_url')}
        />
        <CredentialField {...form.getInputProps('credential_name')} />
        <TextInput
          label="Branch or tag"
          description="HEAD is the default branch."
          spellCheck={false}
          {...form.getInputProps('ref')}
        />
        <TextInput
          label="Name"
          description="Leave empty to use the name of the repository."
          placeholder={nameOf(form.values.repository_url) || 'deployments'}
          {...form.getInputProps('name')}
        />
        <TagsInput
          label="Paths to include"
          description="Such as clusters/prod/. Press Enter after each. Leave empty for all files."
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...form.getInputProps('include')}
        />
        <TagsInput
          label="Paths to exclude"
          description="Dependencies, test data, and examples are always excluded."
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...form.getInputProps('exclude')}
        />
        <Select
          label="When new versions are found"
          data={acceptOptions}
          allowDeselect={false}
          {...form.getInputProps('accept')}
        />
        {form.values.accept !== 'ask' && (
          <RulePicker
            label="Rule for accepted items"
            value={form.values.default_rule_id}
            onChange={(value) => form.setFieldValue('default_rule_id', value)}
            error={form.errors['default_rule_id']}
          />
        )}
        <CronField
          value={form.values.cron_expression}
          onChange={(value) => form.setFieldValue('cron_expression', value)}
          error={form.errors['cron_expression']}
          timeZone={form.values.cron_timezone}
          onTimeZoneChange={(value) => form.setFieldValue('cron_timezone', value)}
          timeZoneError={form.errors['cron_timezone']}
        />
        <ScanFields form={form} />
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/** The last part of the address. */
function nameOf(url: string): string {
  return (
    url
      .trim()
      .replace(/(?:\.git)?\/*$/, '')
      .split(/[/:]/)
      .at(-1) ?? ''
  );
}
