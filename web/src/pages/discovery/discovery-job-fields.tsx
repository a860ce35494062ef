import { MultiSelect, Select, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { CronField } from '../../components/cron-field.tsx';
import { RulePicker } from '../../components/entity-picker.tsx';
import { acceptOptions, roleOptions } from './accept-options.ts';
import { ScanFields, type ScanValues, scanValues, toScanRequest } from './scan-fields.tsx';

export type DiscoveryJobRequest = Schemas['CreateDiscoveryJobRequest'];

/** Props of the forms for all kinds of discovery jobs. */
export interface DiscoveryJobFormProps {
  /** Job to edit. If undefined, the form creates a job. */
  job?: Schemas['DiscoveryJob'];
  /** Resolves when the server has stored the job. */
  save: (values: DiscoveryJobRequest) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
  /** True to show only what a first scan requires. The rest has defaults that can be edited later. */
  isShort?: boolean;
}

type JobValues = ScanValues & {
  name: string;
  include: string[];
  exclude: string[];
  accept: string;
  accept_roles: string[];
  default_rule_id: number | null;
  cron_expression: string;
  cron_timezone: string;
  credential_name: string;
};

/**
 * Returns the initial form values.
 * @param schedule Schedule of a new job.
 */
export function jobValues(job: Schemas['DiscoveryJob'] | undefined, schedule: string): JobValues {
  const defaults = bodyDefaults.createDiscoveryJob;
  return {
    name: job?.name ?? '',
    include: (job ?? defaults).include,
    exclude: (job ?? defaults).exclude,
    ...scanValues(job ?? defaults),
    accept: (job ?? defaults).accept,
    accept_roles: (job ?? defaults).accept_roles,
    default_rule_id: job?.default_rule_id ?? null,
    cron_expression: (job ? job.cron_expression : schedule) ?? '',
    cron_timezone: (job ?? defaults).cron_timezone,
    credential_name: job?.credential_name ?? '',
  };
}

export function toJobRequest(values: JobValues) {
  return {
    ...toScanRequest(values),
    accept: values.accept as Schemas['DiscoveryAccept'],
    accept_roles: values.accept_roles as Schemas['DiscoveryRole'][],
    cron_expression: values.cron_expression.trim() === '' ? null : values.cron_expression,
  };
}

interface ListTexts {
  label: string;
  description: string;
}

/**
 * Fields that all discovery jobs share: the filters, the handling of new versions, and the schedule.
 * `children` are the fields for the scanned files or resources.
 */
export function DiscoveryJobFields<FormValues extends JobValues>({
  form,
  include,
  exclude,
  roles = 'Kinds of files whose versions are accepted automatically or with Accept all.',
  children,
}: {
  form: UseFormReturnType<FormValues>;
  include: ListTexts;
  exclude: ListTexts;
  /** Description of the field for the kinds of versions to accept. */
  roles?: string;
  children?: ReactNode;
}) {
  const { values, errors } = form;
  const set = (changes: Partial<JobValues>) => form.setValues(changes as Partial<FormValues>);
  const list = { splitChars: [',', ' '], acceptValueOnBlur: true };
  return (
    <>
      <TagsInput {...include} {...list} {...form.getInputProps('include')} />
      <TagsInput {...exclude} {...list} {...form.getInputProps('exclude')} />
      {children}
      <Select
        label="When new versions are found"
        data={acceptOptions}
        allowDeselect={false}
        {...form.getInputProps('accept')}
      />
      <MultiSelect
        label="Versions to accept"
        description={roles}
        data={roleOptions}
        {...form.getInputProps('accept_roles')}
      />
      <RulePicker
        label="Default rule"
        description="For versions that are accepted automatically or without another rule. Their monitors follow it."
        value={values.default_rule_id}
        onChange={(default_rule_id) => set({ default_rule_id })}
        error={errors['default_rule_id']}
        clearable
      />
      <CronField
        value={values.cron_expression}
        onChange={(cron_expression) => set({ cron_expression })}
        error={errors['cron_expression']}
        timeZone={values.cron_timezone}
        onTimeZoneChange={(cron_timezone) => set({ cron_timezone })}
        timeZoneError={errors['cron_timezone']}
      />
      <ScanFields form={form} />
    </>
  );
}
