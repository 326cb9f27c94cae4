/**
 * The style of the player. A page sets the custom properties, or reaches the parts by `::part()`.
 */
export const style = `
:host { display: block; --accent: var(--clip-player-accent, #0f766e); --on-accent: var(--clip-player-on-accent, #fff);
  --line: color-mix(in srgb, currentColor 25%, transparent); font: inherit; line-height: 1.5 }
:host([hidden]), [hidden] { display: none !important }
* { box-sizing: border-box; margin: 0 }
#stage { position: relative; container-type: inline-size; aspect-ratio: 16 / 9; border-radius: .6rem; overflow: hidden; color: #fff;
  background: linear-gradient(140deg, #0b3b38, #062322) }
iframe { display: block; inline-size: 100%; block-size: 100%; border: 0 }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: .4rem;
  padding: .2rem .6rem; min-block-size: 2rem; cursor: pointer }
button:hover { border-color: currentColor }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
#begin { position: absolute; inset: 0; inline-size: 100%; border: 0; border-radius: inherit }
#begin:focus-visible { outline-color: #fff; outline-offset: -4px }
#begin span { display: inline-grid; place-items: center; inline-size: clamp(2rem, 16cqi, 3.5rem);
  aspect-ratio: 1; border-radius: 50%;
  padding-inline-start: .15em; font-size: clamp(.9rem, 6cqi, 1.4rem); background: #fff; color: #0b3b38 }
#begin:hover span { background: #5eead4 }
#length { position: absolute; inset: auto .6rem .5rem auto; padding: 0 .4rem; border-radius: .3rem; font-size: .8rem;
  background: #000a }
#controls { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem; margin-block-start: .5rem; font-size: .9rem }
#controls [aria-pressed=true] { background: var(--accent); color: var(--on-accent); border-color: transparent }
#toggle { min-inline-size: 4rem }
#time { margin-inline-start: auto; font-size: .85em; font-variant-numeric: tabular-nums }
#attribution { margin-block-start: .4rem; font-size: .9rem }
#attribution a { color: inherit }
#level { padding: 0 .4rem; border: 1px solid var(--line); border-radius: .3rem; font-size: .8rem }
#fault { margin-block-start: .4rem }
#lines { position: relative; list-style: none; margin-block-start: .6rem; padding: .2rem; overflow-y: auto;
  max-block-size: var(--clip-player-lines, 16rem) }
#lines button { display: block; inline-size: 100%; padding: .3rem .5rem; border-color: transparent; text-align: start;
  line-height: 1.6 }
#lines button:hover { border-color: var(--line) }
#lines [aria-current] { background: color-mix(in srgb, var(--accent) 14%, transparent) }
#lines small { margin-inline-end: .6rem; font-size: .75rem; font-variant-numeric: tabular-nums }
#lines span { border-radius: .25rem; padding-inline: .1em; margin-inline: -.1em }
#lines .marked { text-decoration: underline 2px var(--accent); text-underline-offset: .25em }
#lines .lit { background: var(--accent); color: var(--on-accent) }
`
