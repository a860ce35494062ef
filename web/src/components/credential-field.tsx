import { Autocomplete } from '@mantine/core';
import { useApi } from '../api/use-api.ts';

/** The name of a credential of an agent; those that agents have are suggested. */
export function CredentialField(props: {
  value?: string;
  onChange(value: string): void;
  error?: React.ReactNode;
}) {
  const { data } = useApi('listAgents', { query: { limit: 200 } });
  const names = [...new Set(data?.items.flatMap(({ credential_names }) => credential_names))].toSorted();
  return (
    <Autocomplete
      label="Credential"
      description={
        names.length === 0
          ? 'For what is private: the name of a credential in the configuration of an agent. No agent has one yet.'
          : 'For what is private: the name of a credential that an agent has.'
      }
      placeholder="none"
      data={names}
      {...props}
    />
  );
}
