import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { chatPlatformLabels } from '../../../../src/domain/channels/chat-buttons.ts';
import { withBasePath } from '../../api/page-location.ts';
import { queryClient } from '../../api/query-client.ts';
import { api, canHaveSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { CodeField } from '../../components/two-factor/code-field.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { Facts } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { LoginLayout, tokenOf } from './entrance.tsx';

const tokenKey = withBasePath('pacekeeper-chat-link');

/**
 * Returns the link token. The token is stored in this tab so that it survives a login. In the login URL, it
 * would appear in the server log.
 */
function keptToken(): string {
  const token = tokenOf(location.hash) || (sessionStorage.getItem(tokenKey) ?? '');
  sessionStorage.setItem(tokenKey, token);
  history.replaceState(history.state, '', location.pathname);
  return token;
}

/** Links the chat account that clicked a button to the logged-in user. */
export default function LinkChatAccountPage() {
  const [token] = useState(keptToken);
  const [isLoggedIn] = useState(canHaveSession);
  const [isDone, setDone] = useState(false);
  return (
    <LoginLayout title="Link a chat account">
      {isDone && (
        <Alert color="teal" variant="outline" role="status">
          <Text size="sm" fw={600}>
            Chat account linked
          </Text>
          <Text size="sm">Return to the chat and click the button again.</Text>
        </Alert>
      )}
      {token === '' && (
        <Text size="sm">
          Click a button in a Slack or Mattermost message, then open the link in the response.
        </Text>
      )}
      {token !== '' && !isDone && !isLoggedIn && (
        <Stack gap="sm">
          <Text size="sm">Log in to link the chat account that you used to click the button.</Text>
          <TextLink to="/login" search={{ next: '/link-chat-account' }} underline="always">
            Log in
          </TextLink>
        </Stack>
      )}
      {token !== '' && !isDone && isLoggedIn && (
        <Paper p="md">
          <Confirmation token={token} onLinked={() => setDone(true)} />
        </Paper>
      )}
    </LoginLayout>
  );
}

function Confirmation({ token, onLinked }: { token: string; onLinked: () => void }) {
  const me = useApi('getMe');
  const preview = useApi('previewChatAccount', { body: { token } });
  const twoFactor = useApi('getTwoFactor');
  const form = useForm({ initialValues: { code: '' } });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ code }) => {
    await api.call('linkChatAccount', { body: { token, ...(code !== '' && { code }) } });
    sessionStorage.removeItem(tokenKey);
    await queryClient.invalidateQueries({ queryKey: ['listChatAccounts'] });
    onLinked();
  });
  // A linked chat account can act without a login, so linking it requires a two-factor code if a login does.
  const needsCode = twoFactor.data?.is_enabled === true || form.errors['code'] !== undefined;
  return (
    <Loaded query={preview}>
      {({ platform, workspace_name, user_name, chat_user_id, organization_name }) => (
        <form onSubmit={onSubmit}>
          <Stack gap="sm">
            <Facts
              facts={[
                [chatPlatformLabels[platform], `${user_name} (${chat_user_id})`],
                [platform === 'slack' ? 'Workspace' : 'Team', workspace_name],
                ['Your account', me.data ? `${me.data.user.name} (${me.data.user.email})` : '…'],
                ['Organization', organization_name],
              ]}
            />
            <Text size="sm">
              Continue only if you just clicked the button yourself and this is your{' '}
              {chatPlatformLabels[platform]} account. Its button clicks will then act on your behalf.
            </Text>
            {needsCode && <CodeField {...form.getInputProps('code')} />}
            {error !== null && <ErrorNotice error={error} />}
            <Group>
              <Button type="submit" loading={isBusy}>
                Link account
              </Button>
              <TextLink to="/">Cancel</TextLink>
            </Group>
          </Stack>
        </form>
      )}
    </Loaded>
  );
}
