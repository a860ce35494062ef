import { NumberInput, Switch, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CronDescription } from '../../components/cron-field.tsx';
import { monoInput } from '../../components/mono-input.ts';
import type { SharedChannelValues } from './channel-values.ts';
import { OwnersField } from './owners-field.tsx';
import { SendingTimesFields } from './sending-times-fields.tsx';

/** Options that channel types share: owners, sending times, digests, and permission to acknowledge. */
export function SendingOptions<Values extends SharedChannelValues>({
  form,
  hasDigests = true,
}: {
  form: UseFormReturnType<Values>;
  hasDigests?: boolean;
}) {
  const { errors } = form;
  const values: SharedChannelValues = form.values;
  return (
    <>
      <OwnersField
        value={values.owners}
        onChange={(owners) => form.setValues({ owners } as Partial<Values>)}
        errors={errors}
      />
      {hasDigests && (
        <>
          <NumberInput
            label="Digest interval (minutes)"
            description="Combine events from this interval into one message. Leave empty to send each event immediately."
            min={1}
            max={1440}
            allowDecimal={false}
            {...form.getInputProps('digest_minutes')}
          />
          <TextInput
            label="Digest schedule (cron expression)"
            description="Send one digest at these times instead, for example 0 9 * * mon for every Monday at 9:00. Leave empty for none."
            spellCheck={false}
            styles={monoInput}
            {...form.getInputProps('digest_schedule')}
          />
          {values.digest_schedule.trim() !== '' && (
            <Text size="xs" c="var(--text-muted)">
              <CronDescription expression={values.digest_schedule} timeZone={values.timezone} />
            </Text>
          )}
        </>
      )}
      <SendingTimesFields
        values={values}
        hasDigestSchedule={hasDigests && values.digest_schedule.trim() !== ''}
        onChange={(part) => form.setValues(part as Partial<Values>)}
        errorOf={(field) => errors[field]}
      />
      <Switch
        label="Require login to acknowledge by link"
        description="When disabled, anyone with the message can acknowledge its alert."
        {...form.getInputProps('require_login_to_acknowledge', { type: 'checkbox' })}
      />
    </>
  );
}
