import { Alert, Button, Code, Group, List, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { type AnswerOf, useApi } from '../../api/use-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { downloadText } from '../../ui/download-text.ts';
import { Section } from '../../ui/facts.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { CodeField } from './code-field.tsx';
import { QrCode } from './qr-code.tsx';

/** Codes of an authenticator app. Not for those who log in with a login provider only. */
export function TwoFactorSection() {
  const ways = useApi('listLoginProviders');
  const own = useApi('listIdentities');
  const state = useApi('getTwoFactor');
  const [setup, setSetup] = useState<AnswerOf<'startTwoFactor'> | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // The secret is of no more use, and the codes are shown before anything is read again.
  const onCodes = (issued: readonly string[]) => {
    setSetup(null);
    setCodes(issued);
    void queryClient.invalidateQueries();
  };
  if (ways.data?.password_login === false || own.data?.has_password === false || !state.data) return null;
  return (
    <Section title="Two-factor authentication">
      {codes !== null ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : setup !== null && !state.data.is_enabled ? (
        <ConfirmForm setup={setup} onCancel={() => setSetup(null)} onCodes={onCodes} />
      ) : state.data.is_enabled ? (
        <Enabled state={state.data} onCodes={onCodes} />
      ) : (
        <StartForm onStarted={setSetup} />
      )}
    </Section>
  );
}

function StartForm({ onStarted }: { onStarted: (setup: AnswerOf<'startTwoFactor'>) => void }) {
  const start = useAction('startTwoFactor', { quiet: true });
  const form = useForm({ initialValues: { password: '' } });
  const { onSubmit, error, isBusy } = useSubmit(form, async (body) => {
    onStarted(await start.mutateAsync({ body }));
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={420}>
        <Text size="sm" c="var(--text-muted)">
          Disabled. Once enabled, you log in with your password and a code from an authenticator app on your
          phone.
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
  setup: AnswerOf<'startTwoFactor'>;
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

function Enabled({
  state,
  onCodes,
}: {
  state: AnswerOf<'getTwoFactor'>;
  onCodes: (codes: readonly string[]) => void;
}) {
  const disable = useAction('disableTwoFactor', { quiet: true, done: 'Two-factor authentication disabled' });
  // What the code is for is chosen first, so that Enter does nothing else.
  const [purpose, setPurpose] = useState<'disable' | 'replace' | null>(null);
  const form = useForm({ initialValues: { code: '' } });
  const { onSubmit, error, isBusy } = useSubmit(form, async (body) => {
    if (purpose === 'disable') await disable.mutateAsync({ body });
    else onCodes((await api.call('replaceRecoveryCodes', { body })).recovery_codes);
  });
  const isDisabling = purpose === 'disable';
  return (
    <Stack gap="sm" maw={420}>
      <Text size="sm">
        Enabled <RelativeTime at={state.enabled_at} />. Unused recovery codes: {state.recovery_codes_left}.
      </Text>
      {purpose === null ? (
        <Group gap="xs">
          <Button variant="default" onClick={() => setPurpose('replace')}>
            Replace recovery codes
          </Button>
          <Button variant="default" onClick={() => setPurpose('disable')}>
            Disable
          </Button>
        </Group>
      ) : (
        <form onSubmit={onSubmit}>
          <Stack gap="sm">
            <CodeField {...form.getInputProps('code')} />
            <FormActions
              submit={isDisabling ? 'Disable two-factor authentication' : 'Replace recovery codes'}
              isBusy={isBusy}
              error={error}
              onCancel={() => setPurpose(null)}
            />
          </Stack>
        </form>
      )}
    </Stack>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="outline" title="Save your recovery codes">
        Each one replaces a code of the app once, for when you lose your phone. They aren't shown again.
      </Alert>
      <List listStyleType="none" ff="monospace" size="sm" aria-label="Recovery codes">
        {codes.map((code) => (
          <List.Item key={code}>{code}</List.Item>
        ))}
      </List>
      <Group gap="xs">
        <CopyButton text={text} label="Copy codes" />
        <Button
          variant="default"
          onClick={() => downloadText('pacekeeper-recovery-codes.txt', text, 'text/plain')}
        >
          Download
        </Button>
        <Button onClick={onDone}>I saved them</Button>
      </Group>
    </Stack>
  );
}
