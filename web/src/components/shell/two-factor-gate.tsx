import { Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useMe } from '../../api/use-me.ts';
import { RecoveryCodes } from '../two-factor/recovery-codes.tsx';
import { TwoFactorSetup } from '../two-factor/two-factor-setup.tsx';

/**
 * Replaces every page while the organization requires two-factor authentication and the user hasn't set it
 * up.
 *
 * @param onCodes Callback for when recovery codes appear. They must stay visible until the user has saved
 * them.
 */
export default function TwoFactorGate({ onCodes, onDone }: { onCodes: () => void; onDone: () => void }) {
  const { organization } = useMe();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Stack gap="md" maw={560} mx="auto" component="section" aria-label="Two-factor authentication">
      <Title order={1} size="h2">
        Set up two-factor authentication
      </Title>
      {codes === null ? (
        <>
          <Text>
            {organization.name} requires two-factor authentication when you log in with a password. Set it up
            to continue.
          </Text>
          <TwoFactorSetup
            about="You need an authenticator app on your phone. After setup, you log in with your password and a code from the app."
            onCodes={(issued) => {
              onCodes();
              setCodes(issued);
            }}
          />
        </>
      ) : (
        <RecoveryCodes
          codes={codes}
          onDone={() => void queryClient.invalidateQueries({ queryKey: ['getMe'] }).then(onDone)}
        />
      )}
    </Stack>
  );
}
