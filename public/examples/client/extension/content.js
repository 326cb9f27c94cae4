// Shows a box with the meaning of a word that you double-click, and with links to clips.
document.addEventListener('dblclick', async ({ pageX, pageY }) => {
  const text = String(getSelection()).trim()
  if (text === '') return
  const { title, links } = await chrome.runtime.sendMessage(text)
  document.querySelector('clip-look-up')?.remove()
  const box = document.createElement('clip-look-up')
  box.style.cssText = `position: absolute; left: ${pageX}px; top: ${pageY + 16}px; z-index: 9999;
    max-width: 22rem; padding: 0.5rem; border: 1px solid; background: canvas; color: canvastext`
  // The styles of the page do not apply inside.
  const root = box.attachShadow({ mode: 'open' })
  root.append(Object.assign(document.createElement('b'), { textContent: title }))
  for (const { text: line, address } of links) {
    const link = document.createElement('a')
    Object.assign(link, { href: address, target: '_blank', textContent: line })
    root.append(document.createElement('br'), link)
  }
  document.body.append(box)
})
document.addEventListener('click', () => document.querySelector('clip-look-up')?.remove())
