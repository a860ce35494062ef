import { Button, Checkbox, Code, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';
import { makeSigningSecret } from './signing-secret.ts';

/** What a form says of the secret: kept as it is, another one, or none from now on. */
export type SecretChange = { kind: 'keep' } | { kind: 'set'; secret: string } | { kind: 'remove' };

/** The secret that signs messages. It is never shown again once it is saved. */
export function SigningSecretField({
  change,
  onChange,
  hasSecret,
  keepsSecret,
  error,
}: {
  change: SecretChange;
  onChange: (change: SecretChange) => void;
  hasSecret: boolean;
  /** False: the stored secret does not sign for the new target, so another is entered or signing stops. */
  keepsSecret: boolean;
  error?: React.ReactNode;
}) {
  const secret = change.kind === 'set' ? change.secret : '';
  const isMade = secret.startsWith('whsec_') && secret.length > 30;
  return (
    <Stack gap={4}>
      <Group align="flex-end" gap="xs">
        <PasswordInput
          label="Signing secret"
          description="Signs every message, so that the receiver can tell it from a forged one (Standard Webhooks)."
          placeholder={
            hasSecret
              ? keepsSecret
                ? 'kept; type another to replace it'
                : 'enter it again'
              : 'none: messages are not signed'
          }
          required={hasSecret && !keepsSecret && change.kind !== 'remove'}
          autoComplete="off"
          disabled={change.kind === 'remove'}
          value={secret}
          error={error}
          onChange={({ currentTarget: { value } }) =>
            onChange(value === '' ? { kind: 'keep' } : { kind: 'set', secret: value })
          }
          flex="1 1 16rem"
        />
        <Button
          variant="default"
          onClick={() =>
            onChange({
              kind: 'set',
              secret: makeSigningSecret((bytes) => crypto.getRandomValues(bytes)),
            })
          }
        >
          Generate
        </Button>
      </Group>
      {isMade && (
        <Group gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
          <CopyButton text={secret} label="Copy secret" />
          <Text size="xs" c="var(--text-muted)" flex="1 1 12rem">
            Give it to the receiver now: after saving it is not shown again.
            {hasSecret && keepsSecret && ' The old one signs too for 24 hours.'}
          </Text>
        </Group>
      )}
      {hasSecret && (
        <Checkbox
          size="xs"
          label="Stop signing messages"
          checked={change.kind === 'remove'}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? { kind: 'remove' } : { kind: 'keep' })
          }
        />
      )}
    </Stack>
  );
}
