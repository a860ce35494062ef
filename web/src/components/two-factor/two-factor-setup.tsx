import { Code, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import type { ResponseBodyOf } from '../../api/use-api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FormActions } from '../form-actions.tsx';
import { useSubmit } from '../use-submit.ts';
import { CodeField } from './code-field.tsx';
import { QrCode } from './qr-code.tsx';

/**
 * Setup that requires the password, then a first code from an authenticator app. The server then issues
 * recovery codes.
 */
export function TwoFactorSetup({
  about,
  onCodes,
}: {
  about: string;
  onCodes: (codes: readonly string[]) => void;
}) {
  const [setup, setSetup] = useState<ResponseBodyOf<'startTwoFactor'> | null>(null);
  return setup === null ? (
    <StartForm about={about} onStarted={setSetup} />
  ) : (
    <ConfirmForm setup={setup} onCancel={() => setSetup(null)} onCodes={onCodes} />
  );
}

function StartForm({
  about,
  onStarted,
}: {
  about: string;
  onStarted: (setup: ResponseBodyOf<'startTwoFactor'>) => void;
}) {
  const start = useAction('startTwoFactor', { quiet: true });
  const form = useForm({ initialValues: { password: '' } });
  const { onSubmit, error, isBusy } = useSubmit(form, async (body) => {
    onStarted(await start.mutateAsync({ body }));
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={420}>
        <Text size="sm" c="var(--text-muted)">
          {about}
        </Text>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
        <FormActions submit="Set up two-factor authentication" isBusy={isBusy} error={error} />
      </Stack>
    </form>
  );
}

function ConfirmForm({
  setup,
  onCancel,
  onCodes,
}: {
  setup: ResponseBodyOf<'startTwoFactor'>;
  onCancel: () => void;
  onCodes: (codes: readonly string[]) => void;
}) {
  const form = useForm({ initialValues: { code: '' } });
  const { onSubmit, error, isBusy } = useSubmit(form, async (body) => {
    onCodes((await api.call('confirmTwoFactor', { body })).recovery_codes);
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={420}>
        <Text size="sm">
          Scan this code with an authenticator app, or enter the secret in the app. All other sessions end
          when you enable it.
        </Text>
        <QrCode text={setup.uri} label="QR code for your authenticator app" />
        <Group gap="xs">
          <Code>{setup.secret.replaceAll(/.{4}(?=.)/g, '$& ')}</Code>
          <CopyButton text={setup.secret} label="Copy secret" size="compact-sm" />
        </Group>
        <CodeField {...form.getInputProps('code')} />
        <FormActions
          submit="Enable two-factor authentication"
          isBusy={isBusy}
          error={error}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}
