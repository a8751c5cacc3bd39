/* Part of the service worker: who taps "your turn" comes to that table. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = `/${event.notification.data ?? ''}`;
  event.waitUntil((async () => {
    const [page] = await self.clients.matchAll({ type: 'window' });
    if (!page) return self.clients.openWindow(address);
    await page.focus();
    return page.navigate(address);
  })());
});
