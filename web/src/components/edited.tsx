import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { queryClient } from '../api/query-client.ts';

/** Sent with a change, so that it applies only to the revision in the form. */
export interface IfMatch {
  headers: { 'if-match': string };
}

const ReloadContext = createContext<(() => Promise<void>) | null>(null);

/** Reloads the form with the newest revision. `null` outside of `Edited`. */
export const useReload = () => useContext(ReloadContext);

/**
 * A form with the resource as it was when the form was opened. Changes from elsewhere don't replace what the user typed,
 * and saving over them is rejected until the form is reloaded.
 */
export function Edited<Resource extends { revision: number }>({
  resource,
  children,
}: {
  resource: Resource;
  children: (opened: Resource, ifMatch: IfMatch) => ReactNode;
}) {
  const [round, setRound] = useState(0);
  const reload = useCallback(async () => {
    await queryClient.invalidateQueries();
    setRound((before) => before + 1);
  }, []);
  return (
    <ReloadContext.Provider value={reload}>
      <AsOpened key={round} resource={resource}>
        {children}
      </AsOpened>
    </ReloadContext.Provider>
  );
}

function AsOpened<Resource extends { revision: number }>({
  resource,
  children,
}: {
  resource: Resource;
  children: (opened: Resource, ifMatch: IfMatch) => ReactNode;
}) {
  const [opened] = useState(resource);
  return children(opened, ifMatchOf(opened));
}

export function ifMatchOf({ revision }: { revision: number }): IfMatch {
  return { headers: { 'if-match': `"${revision}"` } };
}
