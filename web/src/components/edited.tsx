import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { queryClient } from '../api/query-client.ts';

/** Header that limits a change to the revision shown in the form. */
export interface IfMatch {
  headers: { 'if-match': string };
}

const ReloadContext = createContext<(() => Promise<void>) | null>(null);

/** Returns a function that reloads the form with the newest revision, or `null` outside of `EditSession`. */
export const useReload = () => useContext(ReloadContext);

/**
 * Form with a snapshot of the resource from when the form was opened. Changes made elsewhere don't replace
 * the user's input, and saving over them is rejected until the form is reloaded.
 */
export function EditSession<Resource extends { revision: number }>({
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
      <ResourceSnapshot key={round} resource={resource}>
        {children}
      </ResourceSnapshot>
    </ReloadContext.Provider>
  );
}

function ResourceSnapshot<Resource extends { revision: number }>({
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
