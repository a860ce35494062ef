import { Alert, Collapse, List, PasswordInput, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { originOf } from '../../../../src/domain/channels/channel-target.ts';
import { type TrackerType, trackers } from '../../../../src/domain/tickets/trackers.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { ChannelNameField } from './channel-name-field.tsx';
import { type ChannelBody, sendingValues, toSendingTimes } from './channel-values.ts';
import { MoreButton } from './more-button.tsx';
import { SendingTimesFields } from './sending-times-fields.tsx';

/** Creates or edits a channel that creates tickets. */
export function TrackerChannelForm({
  type,
  channel,
  save,
  submit,
  onCancel,
}: {
  type: TrackerType;
  channel?: Schemas['NotificationChannel'];
  save: (body: ChannelBody) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
}) {
  const texts = trackers[type];
  const form = useForm({
    initialValues: {
      name: channel?.name ?? texts.label,
      url: channel?.url ?? texts.urlDefault ?? '',
      project: channel?.project ?? '',
      issue_type: channel?.issue_type ?? 'Task',
      account_email: channel?.account_email ?? '',
      ticket_labels: channel?.ticket_labels ?? [],
      token: '',
      ...sendingValues(channel),
    },
  });
  const { values, errors } = form;
  const [isOpen, more] = useDisclosure(channel !== undefined);
  const isOtherOrigin =
    channel !== undefined &&
    originOf(values.url) !== null &&
    originOf(values.url) !== originOf(channel.url ?? '');
  const keepsToken = channel !== undefined && !isOtherOrigin;
  const isJira = type === 'jira';
  const { onSubmit, error, isBusy } = useSubmit(form, (all) =>
    save({
      name: all.name,
      url: all.url,
      project: all.project,
      ticket_labels: all.ticket_labels,
      ...(isJira && {
        issue_type: all.issue_type,
        account_email: all.account_email.trim() === '' ? null : all.account_email.trim(),
      }),
      ...(all.token !== '' && { token: all.token }),
      ...toSendingTimes(all),
      ...(channel === undefined && { channel_type: type }),
    }),
  );
  // Server errors identify a label by its index. All labels share one field, so the field shows the first error.
  const [, labelError] = Object.entries(errors).find(([field]) => field.startsWith('ticket_labels')) ?? [];
  return (
    <form onSubmit={onSubmit} autoComplete="off">
      <Stack gap="sm" maw={640}>
        {!channel && (
          <List type="ordered" size="sm" c="var(--text-muted)">
            {texts.steps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        )}
        <ChannelNameField {...form.getInputProps('name')} />
        <TextInput
          label={texts.urlLabel}
          description={`For example, ${texts.urlExample}.`}
          required
          inputMode="url"
          spellCheck={false}
          {...form.getInputProps('url')}
        />
        <TextInput
          label={texts.projectLabel}
          description={`Where ${texts.tickets} are created. For example, ${texts.projectExample}.`}
          required
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('project')}
        />
        {isJira && (
          <>
            <TextInput
              label="Issue type"
              description="For example, Task."
              required
              {...form.getInputProps('issue_type')}
            />
            <TextInput
              label="Account email"
              description="Email address of the account that the API token belongs to. For example, ana@example.org. Leave empty for Jira Data Center."
              autoComplete="off"
              {...form.getInputProps('account_email')}
            />
          </>
        )}
        <PasswordInput
          label="Token"
          description={keepsToken ? 'Leave empty to keep the current token.' : undefined}
          placeholder={keepsToken ? 'saved' : undefined}
          required={!keepsToken}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('token')}
        />
        <TagsInput
          label="Labels"
          description={`Added to new ${texts.tickets}. For example, dependencies.`}
          maxTags={10}
          splitChars={[',']}
          acceptValueOnBlur
          {...form.getInputProps('ticket_labels')}
          error={labelError}
        />
        <MoreButton isOpen={isOpen} onClick={more.toggle}>
          Advanced options
        </MoreButton>
        <Collapse expanded={isOpen}>
          <Stack gap="sm">
            <SendingTimesFields
              values={values}
              onChange={(part) => form.setValues(part as Partial<typeof values>)}
              errorOf={(field) => errors[field]}
            />
          </Stack>
        </Collapse>
        {isOtherOrigin && (
          <Alert variant="outline" color="var(--severity-moderate)" title="Enter the token again">
            <Text size="sm">
              The stored token isn't sent to another host. Tickets on the current host stay as they are.
            </Text>
          </Alert>
        )}
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
