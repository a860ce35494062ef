import { Button, Checkbox, Code, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';
import { generateSigningSecret } from './signing-secret.ts';

/** Change to the signing secret: keep it, replace it, or remove it. */
export type SecretChange = { kind: 'keep' } | { kind: 'set'; secret: string } | { kind: 'remove' };

/** Field for the secret that signs messages. A saved secret is never shown. */
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
  /**
   * False if the target changed. The stored secret doesn't sign messages to a new target, so a secret must be
   * entered or the stored one removed.
   */
  keepsSecret: boolean;
  error?: React.ReactNode;
}) {
  const secret = change.kind === 'set' ? change.secret : '';
  const isGenerated = secret.startsWith('whsec_') && secret.length > 30;
  return (
    <Stack gap={4}>
      <Group align="flex-end" gap="xs">
        <PasswordInput
          label="Signing secret"
          description="Signs every message so the receiver can verify it came from Pacekeeper (Standard Webhooks). Leave empty to send unsigned messages."
          placeholder={
            hasSecret ? (keepsSecret ? 'Saved; enter a new one to replace it' : 'Enter it again') : undefined
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
              secret: generateSigningSecret((bytes) => crypto.getRandomValues(bytes)),
            })
          }
        >
          Generate
        </Button>
      </Group>
      {isGenerated && (
        <Group gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
          <CopyButton text={secret} label="Copy secret" />
          <Text size="xs" c="var(--text-muted)" flex="1 1 12rem">
            Copy it to the receiver now. You won't see it again after saving.
            {hasSecret && keepsSecret && ' The previous secret stays valid for 24 hours.'}
          </Text>
        </Group>
      )}
      {hasSecret && (
        <Checkbox
          size="xs"
          label="Remove signing secret"
          checked={change.kind === 'remove'}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? { kind: 'remove' } : { kind: 'keep' })
          }
        />
      )}
    </Stack>
  );
}
