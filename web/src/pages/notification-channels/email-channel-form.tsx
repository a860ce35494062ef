import { Alert, Code, Collapse, Stack, TagsInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { platformTexts } from '../../components/channel-platform.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { ChannelNameField } from './channel-name-field.tsx';
import { type ChannelBody, sendingValues, toSharedChannelFields } from './channel-values.ts';
import { MoreButton } from './more-button.tsx';
import { SendingOptions } from './sending-options.tsx';

/** Creates or edits a channel that sends email. */
export function EmailChannelForm({
  channel,
  save,
  submit,
  onCancel,
}: {
  channel?: Schemas['NotificationChannel'];
  save: (body: ChannelBody) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
}) {
  const members = useApi('listOrgMembersDropdown');
  const settings = useApi('getNotificationSettings');
  const form = useForm({
    initialValues: {
      name: channel?.name ?? platformTexts.email.label,
      recipients: channel?.recipients ?? [],
      ...sendingValues(channel),
    },
  });
  const { errors } = form;
  const [isOpen, more] = useDisclosure(channel !== undefined);
  const { onSubmit, error, isBusy } = useSubmit(form, ({ name, recipients, ...values }) =>
    save({
      name,
      recipients,
      ...toSharedChannelFields(values),
      ...(channel === undefined && { channel_type: 'email' as const }),
    }),
  );
  // Server errors identify a recipient by its index, so show the recipient at that index.
  const recipientErrors = Object.entries(errors).flatMap(([field, message]) => {
    const [list, place] = field.split('.');
    if (list !== 'recipients') return [];
    return (
      <Text key={field} span inherit display="block">
        {place !== undefined && form.values.recipients[Number(place)]} {message}
      </Text>
    );
  });
  const domains = settings.data?.email_domains ?? [];
  return (
    <form onSubmit={onSubmit} autoComplete="off">
      <Stack gap="sm" maw={640}>
        {settings.data?.is_email_available === false && (
          <Alert variant="outline" color="var(--severity-moderate)" title="Email isn't set up on this server">
            <Text size="sm">
              An operator can set <Code>PACEKEEPER_SMTP_URL</Code> and <Code>PACEKEEPER_EMAIL_FROM</Code>.
              Until then, nothing is sent.
            </Text>
          </Alert>
        )}
        <ChannelNameField {...form.getInputProps('name')} />
        <TagsInput
          label="Recipients"
          description={`Addresses of members${domains.length > 0 ? `, or in ${domains.join(', ')}` : ''}. Everyone gets the same message and sees the other recipients. For example, ana@example.org.`}
          data={[...new Set((members.data ?? []).map(({ email }) => email))]}
          maxTags={50}
          splitChars={[',', ' ', ';']}
          acceptValueOnBlur
          required
          data-autofocus
          {...form.getInputProps('recipients')}
          error={recipientErrors.length > 0 ? recipientErrors : undefined}
        />
        <MoreButton isOpen={isOpen} onClick={more.toggle}>
          Advanced options
        </MoreButton>
        <Collapse expanded={isOpen}>
          <Stack gap="sm">
            <SendingOptions form={form} />
          </Stack>
        </Collapse>
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
