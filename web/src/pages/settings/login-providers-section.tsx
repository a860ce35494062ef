import { Badge, Code, Group, Text } from '@mantine/core';
import { type ResponseBodyOf, useApi } from '../../api/use-api.ts';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { Section } from '../../ui/facts.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type Provider = ResponseBodyOf<'getSingleSignOn'>['providers'][number];

const columns: readonly Column<Provider>[] = [
  { header: 'Provider', cell: ({ name, issuer }) => <TwoLines second={issuer}>{name}</TwoLines> },
  { header: 'Redirect URI', cell: ({ redirect_uri }) => <Code>{redirect_uri}</Code>, secondary: true },
  {
    header: 'Groups',
    cell: ({ groups }) => (
      <Group gap={4}>
        {groups.length === 0 && 'none'}
        {groups.map(({ group, role }) => (
          <Badge key={`${group} ${role}`} variant="default">
            {group === '*' ? 'everyone' : group}: {role}
          </Badge>
        ))}
      </Group>
    ),
  },
];

/** Lists the configured login providers. Renders nothing if there are none. */
export function LoginProvidersSection() {
  const { data } = useApi('getSingleSignOn');
  if (!data?.providers.length) return null;
  return (
    <Section title="Single sign-on">
      <Text size="sm" c="var(--text-muted)" mb="xs">
        Login providers and the groups that have a role in this organization. An operator configures them on
        the server.
        {data.password_login ? '' : " People can't log in with a password."}
      </Text>
      <RowsTable items={data.providers} columns={columns} name="login providers" rowKey={({ id }) => id} />
    </Section>
  );
}
