import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { type ResponseBodyOf, useApi } from '../../api/use-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { CodeField } from '../../components/two-factor/code-field.tsx';
import { RecoveryCodes } from '../../components/two-factor/recovery-codes.tsx';
import { TwoFactorSetup } from '../../components/two-factor/two-factor-setup.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { Section } from '../../ui/facts.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** Section to manage two-factor authentication. Hidden for users who log in only through a login provider. */
export function TwoFactorSection() {
  const ways = useApi('listLoginProviders');
  const own = useApi('listIdentities');
  const state = useApi('getTwoFactor');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // Set the codes before the refetch, so that the section shows them instead of the new state.
  const onCodes = (issued: readonly string[]) => {
    setCodes(issued);
    void queryClient.invalidateQueries();
  };
  if (ways.data?.password_login === false || own.data?.has_password === false || !state.data) return null;
  return (
    <Section title="Two-factor authentication">
      {codes !== null ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : state.data.is_enabled ? (
        <Enabled state={state.data} onCodes={onCodes} />
      ) : (
        <TwoFactorSetup
          about="Disabled. Once it's enabled, logging in requires your password and a code from an authenticator app on your phone."
          onCodes={onCodes}
        />
      )}
    </Section>
  );
}

function Enabled({
  state,
  onCodes,
}: {
  state: ResponseBodyOf<'getTwoFactor'>;
  onCodes: (codes: readonly string[]) => void;
}) {
  const disable = useAction('disableTwoFactor', { quiet: true, done: 'Two-factor authentication disabled' });
  // The user selects the purpose of the code first, so that Enter submits only that action.
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
        Enabled <RelativeTime at={state.enabled_at} />. Unused recovery codes: {state.recovery_codes_left}. To
        use another phone, disable it, then set it up again.
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
