import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/session.ts';
import { showError, useAction } from '../../api/use-action.ts';
import { type ResponseBodyOf, useApi } from '../../api/use-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { CodeField } from '../../components/two-factor/code-field.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { Section } from '../../ui/facts.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { SignOnProblem } from '../login/login-page.tsx';

type LoginProvider = ResponseBodyOf<'listLoginProviders'>['providers'][number];
type Identity = ResponseBodyOf<'listIdentities'>['items'][number];

const columns: readonly Column<Identity>[] = [
  {
    header: 'Provider',
    cell: ({ provider, issuer, is_current }) => (
      <TwoLines second={is_current ? 'This session' : provider === null && 'No longer configured'}>
        {provider?.name ?? issuer}
      </TwoLines>
    ),
    width: 'minmax(0, 1.5fr)',
  },
  { header: 'Email', cell: ({ email }) => email ?? 'none' },
  { header: 'Linked', cell: ({ created_at }) => <RelativeTime at={created_at} />, width: '8rem' },
  { header: 'Last used', cell: ({ last_login_at }) => <RelativeTime at={last_login_at} />, width: '8rem' },
  { header: 'Actions', cell: (identity) => <Unlink identity={identity} />, width: '8rem', align: 'end' },
];

/** Login providers that are linked to the account. Hidden if no providers exist. */
export function IdentitiesSection() {
  const { sso_error: code, login_linked: linked } = useSearch({ from: '/shell/account' });
  const loginProviders = useApi('listLoginProviders');
  const own = useApi('listIdentities');
  const twoFactor = useApi('getTwoFactor');
  const [linking, setLinking] = useState<LoginProvider | null>(null);
  const ids = new Set(own.data?.items.map(({ provider }) => provider?.id));
  const others = loginProviders.data?.providers.filter(({ id }) => !ids.has(id)) ?? [];
  if (!loginProviders.data?.providers.length && !own.data?.items.length) return null;
  // Linking adds a login method, so it requires a two-factor code if two-factor authentication is enabled.
  const onLink = (provider: LoginProvider) => {
    if (twoFactor.data?.is_enabled) setLinking(provider);
    else void beginLink({ provider: provider.id }).catch(showError);
  };
  return (
    <Section
      title="Linked logins"
      actions={
        <Group gap="xs">
          {others.map((provider) => (
            <Button key={provider.id} variant="default" size="xs" onClick={() => onLink(provider)}>
              Link {provider.name}
            </Button>
          ))}
        </Group>
      }
    >
      {code !== undefined && <SignOnProblem code={code} />}
      {linked !== undefined && (
        <Alert color="teal" variant="outline" my="sm">
          Login linked
        </Alert>
      )}
      <Text size="sm" c="var(--text-muted)" mb="xs">
        Login providers that you can log in with. Groups at a provider can add memberships, which end when you
        unlink it.
      </Text>
      {linking && <LinkForm provider={linking} onCancel={() => setLinking(null)} />}
      {own.data && own.data.items.length > 0 && (
        <RowsTable items={own.data.items} columns={columns} name="linked logins" rowKey={({ id }) => id} />
      )}
    </Section>
  );
}

/** Navigates to the login page of the provider. */
async function beginLink(body: { provider: string; code?: string }): Promise<void> {
  const { url } = await api.call('linkIdentity', { body });
  location.assign(url);
}

function LinkForm({ provider, onCancel }: { provider: LoginProvider; onCancel: () => void }) {
  const form = useForm({ initialValues: { code: '' } });
  const { onSubmit, error, isBusy } = useSubmit(form, ({ code }) =>
    beginLink({ provider: provider.id, code }),
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={420} mb="sm">
        <CodeField {...form.getInputProps('code')} />
        <FormActions
          submit={`Continue to ${provider.name}`}
          isBusy={isBusy}
          error={error}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

function Unlink({ identity: { id, provider, issuer } }: { identity: Identity }) {
  const confirm = useConfirm();
  const unlink = useAction('unlinkIdentity', { done: 'Login unlinked' });
  const name = provider?.name ?? issuer;
  const onUnlink = async () => {
    const isSure = await confirm({
      title: `Unlink "${name}"?`,
      body: 'Its sessions, the memberships that come from its groups, and API keys created with them also end.',
      confirm: 'Unlink login',
      danger: true,
    });
    if (isSure) unlink.mutate({ path: { id } });
  };
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={unlink.isPending}
      aria-label={`Unlink ${name}`}
      onClick={() => void onUnlink()}
    >
      Unlink
    </Button>
  );
}
