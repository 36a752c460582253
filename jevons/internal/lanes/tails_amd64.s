//go:build !purego

#include "textflag.h"

// A band is two registers of four weeks. Sizes in bytes: Row 72, Band 64,
// Column 256, Sums 448 (four totals, three counts).

// func insertAVX2(first *Band, n int, rows *Band, numRows int, flip uint64)
//
// Of a value and a row, the smaller stays in the row and the larger goes on to
// the next. Four columns go down the rows together, then what is left of them one
// by one.
TEXT ·insertAVX2(SB), NOSPLIT, $0-40
	MOVQ first+0(FP), SI
	MOVQ n+8(FP), CX
	VBROADCASTSD flip+32(FP), Y15
	MOVQ $0x7ff0000000000000, AX
	VMOVQ AX, X14
	VBROADCASTSD X14, Y14 // infinity, which stands for NaN
	SUBQ $4, CX
	JLT  few

four:
	MOVQ rows+16(FP), DI
	MOVQ numRows+24(FP), DX
	VXORPD (SI), Y15, Y0
	VXORPD 32(SI), Y15, Y1
	VXORPD 256(SI), Y15, Y2
	VXORPD 288(SI), Y15, Y3
	VXORPD 512(SI), Y15, Y4
	VXORPD 544(SI), Y15, Y5
	VXORPD 768(SI), Y15, Y6
	VXORPD 800(SI), Y15, Y7
	VMINPD Y14, Y0, Y0
	VMINPD Y14, Y1, Y1
	VMINPD Y14, Y2, Y2
	VMINPD Y14, Y3, Y3
	VMINPD Y14, Y4, Y4
	VMINPD Y14, Y5, Y5
	VMINPD Y14, Y6, Y6
	VMINPD Y14, Y7, Y7

fourRow:
	VMOVUPD (DI), Y8
	VMOVUPD 32(DI), Y9
	VMINPD  Y8, Y0, Y10
	VMINPD  Y9, Y1, Y11
	VMAXPD  Y8, Y0, Y0
	VMAXPD  Y9, Y1, Y1
	VMINPD  Y10, Y2, Y8
	VMINPD  Y11, Y3, Y9
	VMAXPD  Y10, Y2, Y2
	VMAXPD  Y11, Y3, Y3
	VMINPD  Y8, Y4, Y10
	VMINPD  Y9, Y5, Y11
	VMAXPD  Y8, Y4, Y4
	VMAXPD  Y9, Y5, Y5
	VMINPD  Y10, Y6, Y8
	VMINPD  Y11, Y7, Y9
	VMAXPD  Y10, Y6, Y6
	VMAXPD  Y11, Y7, Y7
	VMOVUPD Y8, (DI)
	VMOVUPD Y9, 32(DI)
	ADDQ $64, DI
	DECQ DX
	JNZ  fourRow

	ADDQ $1024, SI
	SUBQ $4, CX
	JGE  four

few:
	ADDQ $4, CX
	JZ   done

one:
	MOVQ rows+16(FP), DI
	MOVQ numRows+24(FP), DX
	VXORPD (SI), Y15, Y0
	VXORPD 32(SI), Y15, Y1
	VMINPD Y14, Y0, Y0
	VMINPD Y14, Y1, Y1

oneRow:
	VMOVUPD (DI), Y8
	VMOVUPD 32(DI), Y9
	VMINPD  Y8, Y0, Y10
	VMINPD  Y9, Y1, Y11
	VMAXPD  Y8, Y0, Y0
	VMAXPD  Y9, Y1, Y1
	VMOVUPD Y10, (DI)
	VMOVUPD Y11, 32(DI)
	ADDQ $64, DI
	DECQ DX
	JNZ  oneRow

	ADDQ $256, SI
	DECQ CX
	JNZ  one

done:
	VZEROUPPER
	RET
