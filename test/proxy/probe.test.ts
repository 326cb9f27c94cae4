import { test } from 'vitest'
import { startSmallService } from './small-service.ts'
test('probe', async () => {
  for (let i=0;i<4;i++){
  const t = performance.now()
  await using s = await startSmallService()
  console.log(performance.now()-t)
  const key = await s.newKey()
  for (const p of ['/feed?limit=2','/words','/words/look%20after/clips','/corpus','/usage','/clips/watchmaker','/clips/watchmaker/transcript','/words/and%2For/clips']) {
   const a = await s.get(p,{key}); if(i==0)console.log(p,a.status,a.text.length, a.text.slice(0,600), a.headers)
  }
  console.log(performance.now()-t)
  }
})
