import { Button, Text, Tooltip } from '@mantine/core';
import { useAction } from '../../api/use-action.ts';
import type { ResponseBodyOf } from '../../api/use-api.ts';
import { type Column, ShortList } from '../../components/list/index.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { describeClient } from '../../ui/describe-client.ts';
import { Section } from '../../ui/facts.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type Session = ResponseBodyOf<'listSessions'>['items'][number];

const columns: readonly Column<Session>[] = [
  {
    header: 'Client',
    cell: (session) => <Client session={session} />,
    width: 'minmax(0, 1.5fr)',
  },
  { header: 'Address', cell: ({ address }) => address ?? 'unknown' },
  { header: 'Organization', cell: ({ organization }) => organization.name, secondary: true },
  { header: 'Logged in', cell: ({ created_at }) => <RelativeTime at={created_at} />, width: '8rem' },
  { header: 'Last used', cell: ({ last_used_at }) => <RelativeTime at={last_used_at} />, width: '8rem' },
  {
    header: 'Actions',
    cell: (session) => <EndSession session={session} />,
    width: '8rem',
    align: 'end',
  },
];

/** Active sessions of the user. */
export function SessionsSection() {
  const confirm = useConfirm();
  const endOthers = useAction('endOtherSessions', { done: 'Other sessions ended' });
  const onEndOthers = async () => {
    const isSure = await confirm({
      title: 'End all other sessions?',
      body: 'Other browsers and CLIs must log in again. API keys keep working.',
      confirm: 'End sessions',
      danger: true,
    });
    if (isSure) endOthers.mutate({});
  };
  return (
    <Section
      title="Sessions"
      actions={
        <Button variant="default" size="xs" loading={endOthers.isPending} onClick={() => void onEndOthers()}>
          End all other sessions
        </Button>
      }
    >
      <Text size="sm" c="var(--text-muted)" mb="xs">
        Browsers and CLIs logged in to your account. Sessions expire after 14 days of inactivity, or after 12
        hours with single sign-on.
      </Text>
      <ShortList
        operationId="listSessions"
        columns={columns}
        name="sessions"
        rowKey={({ id }) => id}
        empty="No sessions"
      />
    </Section>
  );
}

const methods: Record<Session['login_method'], string | null> = {
  password: null,
  single_sign_on: 'Single sign-on',
  login_link: 'Login link',
};

function Client({ session: { user_agent, is_current, login_method } }: { session: Session }) {
  return (
    <TwoLines second={[is_current && 'This session', methods[login_method]].filter(Boolean).join(' · ')}>
      <Tooltip label={user_agent} disabled={user_agent === null} multiline maw={420}>
        <span>{describeClient(user_agent)}</span>
      </Tooltip>
    </TwoLines>
  );
}

function EndSession({ session: { id, user_agent, is_current } }: { session: Session }) {
  const end = useAction('endSession', { done: 'Session ended' });
  if (is_current) return null;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={end.isPending}
      aria-label={`End session of ${describeClient(user_agent)}`}
      onClick={() => end.mutate({ path: { id } })}
    >
      End session
    </Button>
  );
}
