import { Autocomplete } from '@mantine/core';
import { useApi } from '../api/use-api.ts';

/** Field for the name of an agent credential. Suggests the credentials of all agents. */
export function CredentialField(props: {
  value?: string;
  onChange(value: string): void;
  error?: React.ReactNode;
  description?: string;
}) {
  const { data } = useApi('listAgents', { query: { limit: 200 } });
  const names = [...new Set(data?.items.flatMap(({ credential_names }) => credential_names))].toSorted();
  return (
    <Autocomplete
      label="Credential"
      description={
        names.length === 0
          ? "For private sources: the name of a credential in an agent's configuration. No agent has one yet."
          : 'For private sources: a credential of one of your agents. Leave empty for public sources.'
      }
      data={names}
      {...props}
    />
  );
}
