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
import type { DiscoveryJobValues } from './discovery-job-form.tsx';
import { ScanFields, scanValues, toScanRequest } from './scan-fields.tsx';

/** Creates or changes a discovery job that reads a container host. @param save resolves when the server has stored it. */
export function HostForm({
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
      host_name: job?.host_name ?? '',
      include: (job ?? defaults).include,
      exclude: (job ?? defaults).exclude,
      ...scanValues(job ?? defaults),
      accept: (job ?? defaults).accept as string,
      default_rule_id: job?.default_rule_id ?? null,
      cron_expression: (job ? job.cron_expression : suggestedSchedules.cluster) ?? '',
      cron_timezone: (job ?? defaults).cron_timezone,
      credential_name: job?.credential_name ?? '',
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, (values) =>
    save({
      ...values,
      ...toScanRequest(values),
      ...(job === undefined && { kind: 'container_host' as const }),
      ...{ repository_url: null, ref: null },
      name: values.name.trim() === '' ? values.host_name : values.name,
      accept: values.accept as Schemas['DiscoveryAccept'],
      cron_expression: values.cron_expression.trim() === '' ? null : values.cron_expression,
      credential_name: values.credential_name.trim() === '' ? values.host_name : values.credential_name,
    }),
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        <TextInput
          label="Host name"
          description="Everything on the host gets it as the label host. If label rules for repositories set this label, use the same name."
          placeholder="web-1"
          required
          spellCheck={false}
          {...form.getInputProps('host_name')}
        />
        <CredentialField
          description="The name of the socket in the agent's configuration. Leave empty to use the host name."
          placeholder={form.values.host_name || 'web-1'}
          {...form.getInputProps('credential_name')}
        />
        <TextInput
          label="Name"
          description="Leave empty to use the host name."
          placeholder={form.values.host_name || 'web-1'}
          {...form.getInputProps('name')}
        />
        <TagsInput
          label="Projects to include"
          description="Such as shop/ for a Compose project or a stack, or container/ for all other containers. Press Enter after each. Leave empty for all containers."
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...form.getInputProps('include')}
        />
        <TagsInput
          label="Projects to exclude"
          description="Such as sandbox/."
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
