import { Alert, Collapse, List, PasswordInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { type PresetId, presetIds, presets } from '../../../../src/domain/templates/presets.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { ChannelNameField } from './channel-name-field.tsx';
import {
  type ChannelBody,
  channelFormValues,
  hasDigests,
  secretsDroppedReason,
  secretsToEnter,
  shownFields,
  toChannelBody,
} from './channel-values.ts';
import { HeaderFields } from './header-fields.tsx';
import { MessagePreview } from './message-preview.tsx';
import { MoreButton } from './more-button.tsx';
import { RequestFormFields } from './request-form-fields.tsx';
import { SendingOptions } from './sending-options.tsx';
import { SigningSecretField } from './signing-secret-field.tsx';
import { useWebhookCheck } from './use-webhook-check.ts';

/**
 * Creates or edits a channel that uses webhooks. Fields that the platform doesn't require are under "More".
 */
export function ChannelForm({
  preset: chosen,
  channel,
  save,
  submit,
  onCancel,
}: {
  preset: PresetId;
  channel?: Schemas['NotificationChannel'];
  save: (body: ChannelBody) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
}) {
  const form = useForm({ initialValues: channelFormValues(chosen, channel) });
  const { values, errors } = form;
  const guide = presets[values.preset];
  const check = useWebhookCheck(values.url, values.preset);
  const [isOpen, more] = useDisclosure(channel !== undefined);
  const { onSubmit, error, isBusy } = useSubmit(form, (all) => save(toChannelBody(all, channel)));
  const headerErrors = Object.fromEntries(
    Object.entries(errors)
      .filter(([field]) => field === 'headers' || field.startsWith('headers.'))
      .map(([field, message]) => [field.slice('headers.'.length), message]),
  );
  const change = secretsDroppedReason(values, channel);
  const keepsOptions = channel?.has_preset_options === true && change === null && !values.removes_options;
  const missing = secretsToEnter(values, channel);
  const shown = shownFields(values, channel);
  return (
    <form onSubmit={onSubmit} autoComplete="off">
      <Stack gap="sm" maw={640}>
        {values.preset !== channel?.preset && (
          <List type="ordered" size="sm" c="var(--text-muted)">
            {guide.steps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        )}
        {channel && (
          <Select
            label="Platform"
            data={presetIds.map((name) => ({ value: name, label: presets[name].label }))}
            allowDeselect={false}
            {...form.getInputProps('preset')}
          />
        )}
        <ChannelNameField {...form.getInputProps('name')} />
        <TextInput
          label={guide.urlLabel}
          required
          inputMode="url"
          spellCheck={false}
          data-autofocus
          description={[
            `For example, ${guide.urlExample}${guide.urlExample.endsWith('…') ? '' : '.'}`,
            ...check.warnings,
          ].join(' ')}
          {...form.getInputProps('url')}
          error={errors['url'] ?? (check.errors.length > 0 ? check.errors.join(' ') : undefined)}
        />
        {guide.options.map(({ name, label, description: about, example, isRequired, isSecret }) => {
          const description = example === undefined ? about : `${about} For example, ${example}.`;
          const Field = isSecret ? PasswordInput : TextInput;
          return (
            <Field
              key={`${values.preset}.${name}`}
              label={label}
              description={
                keepsOptions
                  ? `${description} Leave all of these fields empty to keep the current values.`
                  : description
              }
              placeholder={keepsOptions ? 'saved' : undefined}
              required={isRequired && !keepsOptions}
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps(`preset_options.${name}`)}
              value={values.preset_options[name] ?? ''}
            />
          );
        })}
        {channel?.has_preset_options === true &&
          change === null &&
          guide.options.every(({ isRequired }) => !isRequired) && (
            <Switch
              label="Remove the saved values"
              {...form.getInputProps('removes_options', { type: 'checkbox' })}
            />
          )}
        {(guide.header !== undefined ||
          Object.keys(headerErrors).length > 0 ||
          (isOpen && shown.headers)) && (
          <HeaderFields
            rows={values.headers}
            keepsValues={change === null}
            onChange={(rows) => form.setFieldValue('headers', rows)}
            errors={headerErrors}
          />
        )}
        <MoreButton isOpen={isOpen} onClick={more.toggle}>
          Advanced options
        </MoreButton>
        <Collapse expanded={isOpen || missing.includes('signing_secret')}>
          <Stack gap="sm">
            {shown.signingSecret && (
              <SigningSecretField
                change={values.signing_secret}
                onChange={(change) => form.setFieldValue('signing_secret', change)}
                hasSecret={channel?.has_signing_secret ?? false}
                keepsSecret={change === null}
                error={errors['signing_secret']}
              />
            )}
            {shown.successResponse && (
              <TextInput
                label="Success response"
                description="For receivers that report errors with status 2xx. Enter the value that they return for success, for example 0. Leave empty to accept every 2xx response."
                spellCheck={false}
                {...form.getInputProps('success_condition.equals')}
              />
            )}
            {values.success_condition.equals.trim() !== '' && (
              <TextInput
                label="Field of the success response"
                description="Enter the path of the value in the JSON response, for example errcode. Leave empty to compare the whole response."
                spellCheck={false}
                {...form.getInputProps('success_condition.path')}
              />
            )}
            {values.preset === 'generic' && <RequestFormFields form={form} />}
            <SendingOptions form={form} hasDigests={hasDigests(values)} />
          </Stack>
        </Collapse>
        {check.rendered !== null && <MessagePreview text={check.rendered} />}
        {channel && channel.url !== values.url && (
          <Text size="sm" c="var(--text-muted)">
            Pending messages are sent to the new URL.
          </Text>
        )}
        {change !== null && <SecretsNotice change={change} fields={missing} />}
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/** Lists the secrets that must be entered again for a new target, before the server rejects the request. */
function SecretsNotice({ change, fields }: { change: 'origin' | 'preset'; fields: readonly string[] }) {
  if (fields.length === 0) return null;
  const names = fields.map((field) =>
    field === 'signing_secret'
      ? 'Signing secret'
      : field === 'preset_options'
        ? 'Platform options'
        : `Header ${field.slice('headers.'.length)}`,
  );
  return (
    <Alert variant="outline" color="var(--severity-moderate)" title="Enter the secrets again">
      <Text size="sm">
        Stored secrets aren't sent to another {change === 'origin' ? 'host' : 'platform'}. Enter each again,
        or remove it: {names.join(', ')}.
      </Text>
    </Alert>
  );
}
