import { List, Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';

type Preview = Schemas['MemberChangePreview'];

export function revokesNothing({ api_keys_total, invitations_total }: Preview): boolean {
  return api_keys_total + invitations_total === 0;
}

/** Lists the API keys and invitations that stop working if a member is removed or gets a lower role. */
export function ChangePreview({
  preview: { api_keys, api_keys_total, invitations_total },
}: {
  preview: Preview;
}) {
  const unnamed = api_keys_total - api_keys.length;
  return (
    <>
      {api_keys_total > 0 && (
        <>
          <Text mt="xs">
            {api_keys_total === 1
              ? '1 API key they created stops working:'
              : `${api_keys_total.toLocaleString('en-US')} API keys they created stop working:`}
          </Text>
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {api_keys.map(({ id, name }) => (
              <List.Item key={id}>{name}</List.Item>
            ))}
            {unnamed > 0 && <List.Item>{unnamed.toLocaleString('en-US')} more</List.Item>}
          </List>
          <Text mt="xs">Create replacements first if pipelines or agents use them.</Text>
        </>
      )}
      {invitations_total > 0 && (
        <Text mt="xs">
          {invitations_total === 1
            ? '1 pending invitation they sent stops working.'
            : `${invitations_total.toLocaleString('en-US')} pending invitations they sent stop working.`}
        </Text>
      )}
    </>
  );
}
